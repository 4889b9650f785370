import { Button, IconButton } from '@grafana/ui';
import { t } from '../../i18n/t';

/** The header of the detail where it replaces the list, with a way back. */
export function NarrowTitle({ onBack }: { onBack: () => void }) {
  return (
    <Button variant="secondary" fill="text" icon="arrow-left" onClick={onBack}>
      {t('inbox.detail.back', 'Inbox')}
    </Button>
  );
}

interface StepsProps {
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

export function Steps({ onPrevious, onNext }: StepsProps) {
  return (
    <>
      <IconButton
        name="angle-up"
        size="xl"
        aria-label={t('inbox.detail.previous', 'Previous notification')}
        disabled={!onPrevious}
        onClick={onPrevious}
      />
      <IconButton
        name="angle-down"
        size="xl"
        aria-label={t('inbox.detail.next', 'Next notification')}
        disabled={!onNext}
        onClick={onNext}
      />
    </>
  );
}
