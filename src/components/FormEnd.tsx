import { Button, Stack } from '@grafana/ui';
import { useId } from 'react';
import type { BridgeError } from '../api/errors';
import { t } from '../i18n/t';
import { SecondaryText } from './SecondaryText';
import { Failure } from './Failure';
import { PendingButton } from './PendingButton';

interface Props {
  save: { error: BridgeError | null; isPending: boolean };
  /** Title of the error. */
  failure: string;
  /** Why it cannot be saved now. */
  blocked?: string | undefined;
  onCancel: () => void;
}

/** The end of a form: why it could not be saved, and its buttons. */
export function FormEnd({ save: { error, isPending }, failure, blocked, onCancel }: Props) {
  const id = useId();
  return (
    <>
      <Failure title={failure} error={error} ofChange />
      {blocked !== undefined && (
        <SecondaryText element="p" id={id}>
          {blocked}
        </SecondaryText>
      )}
      <Stack>
        <PendingButton
          type="submit"
          pending={isPending}
          disabled={blocked !== undefined}
          aria-describedby={blocked === undefined ? undefined : id}
        >
          {t('silences.form.save', 'Save')}
        </PendingButton>
        <Button variant="secondary" onClick={onCancel}>
          {t('channels.form.cancel', 'Cancel')}
        </Button>
      </Stack>
    </>
  );
}
