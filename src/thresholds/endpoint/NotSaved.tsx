import { Button } from '@grafana/ui';
import { explain } from '../../api/queryClient';
import { t } from '../../i18n/t';
import type { Failure } from '../useOptimistic';
import { Problem } from './Problem';

/** Error of a change that was reverted because it could not be saved. */
export function NotSaved({ failure, stays }: { failure: Failure; stays?: string }) {
  return (
    <Problem>
      {notSaved(explain(failure.error), stays)}{' '}
      <Button size="sm" variant="secondary" fill="text" icon="sync" onClick={failure.retry}>
        {t('thresholds.saving.retry', 'Retry')}
      </Button>
    </Problem>
  );
}

const notSaved = (reason: string, stays: string | undefined): string =>
  stays === undefined
    ? t('thresholds.saving.failed', 'Not saved: {{reason}}', { reason })
    : t('thresholds.saving.failed-stays', 'Not saved, {{amount}} stays in effect: {{reason}}', {
        reason,
        amount: stays,
      });
