import { Button, EmptyState } from '@grafana/ui';
import { t } from '../i18n/t';

/** Shown when filters exclude everything. */
export function NoMatch({ message, onClear }: { message: string; onClear: () => void }) {
  return (
    <EmptyState
      variant="not-found"
      message={message}
      button={
        <Button variant="secondary" icon="times" onClick={onClear}>
          {t('parts.filters.clear', 'Clear filters')}
        </Button>
      }
    />
  );
}
