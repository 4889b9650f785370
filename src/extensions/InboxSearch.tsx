import { Alert, LoadingPlaceholder } from '@grafana/ui';
import type { BridgeError } from '../api/errors';
import { explain } from '../api/queryClient';
import { t } from '../i18n/t';

/** Shown while the inbox is searched, and when that fails. */
export function InboxSearch({ error }: { error: BridgeError | undefined }) {
  return error ? (
    <Alert severity="error" title={t('extensions.looking.failed', 'Could not load the inbox')}>
      {explain(error)}
    </Alert>
  ) : (
    <LoadingPlaceholder text={t('extensions.looking.asking', 'Searching the inbox…')} />
  );
}
