import { Button, EmptyState } from '@grafana/ui';
import { t } from '../i18n/t';

interface Props {
  message: string;
  /** Label of the button. */
  clear?: string;
  onClear: () => void;
}

/** Shown when filters exclude everything. */
export function NoMatch({ message, clear = t('parts.filters.clear', 'Clear filters'), onClear }: Props) {
  return (
    <EmptyState
      variant="not-found"
      message={message}
      button={
        <Button variant="secondary" icon="times" onClick={onClear}>
          {clear}
        </Button>
      }
    />
  );
}
