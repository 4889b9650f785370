import { LoadingPlaceholder } from '@grafana/ui';
import type { BridgeError } from '../../api/errors';
import { t } from '../../i18n/t';
import { Failure } from '../../components/Failure';

interface Props {
  error: BridgeError | null;
  onRetry: () => void;
}

/** In place of data that is being loaded, or could not be. */
export function NotLoaded({ error, onRetry }: Props) {
  return error ? (
    <Failure title={t('config.access.not-loaded', 'Could not load')} error={error} onRetry={onRetry} />
  ) : (
    <LoadingPlaceholder text={t('config.access.loading', 'Loading…')} />
  );
}
