import { Button, LoadingPlaceholder } from '@grafana/ui';
import type { BridgeError } from '../../api/errors';
import { explain } from '../../api/queryClient';
import { AlertWithAction } from '../../components/AlertWithAction';
import { t } from '../../i18n/t';

interface Props {
  error: BridgeError | null;
  onRetry: () => void;
}

/** In place of data that is being loaded, or could not be. */
export function NotLoaded({ error, onRetry }: Props) {
  return error ? (
    <AlertWithAction
      severity="error"
      title={t('config.access.not-loaded', 'Could not load')}
      action={
        <Button variant="secondary" onClick={onRetry}>
          {t('config.access.retry', 'Retry')}
        </Button>
      }
    >
      {explain(error)}
    </AlertWithAction>
  ) : (
    <LoadingPlaceholder text={t('config.access.loading', 'Loading…')} />
  );
}
