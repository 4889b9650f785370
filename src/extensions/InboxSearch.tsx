import { LoadingPlaceholder } from '@grafana/ui';
import type { BridgeError } from '../api/errors';
import { t } from '../i18n/t';
import { Failure } from '../components/Failure';

/** Shown while the inbox is searched, and when that fails. */
export function InboxSearch({ error }: { error: BridgeError | undefined }) {
  return error ? (
    <Failure title={t('extensions.looking.failed', 'Could not load the inbox')} error={error} />
  ) : (
    <LoadingPlaceholder text={t('extensions.looking.asking', 'Searching the inbox…')} />
  );
}
