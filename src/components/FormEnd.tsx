import { Alert, Button, Stack } from '@grafana/ui';
import type { BridgeError } from '../api/errors';
import { explainChange } from '../api/queryClient';
import { t } from '../i18n/t';

interface Props {
  save: { error: BridgeError | null; isPending: boolean };
  /** Title of the error. */
  failure: string;
  onCancel: () => void;
}

/** The end of a form: why it could not be saved, and its buttons. */
export const FormEnd = ({ save: { error, isPending }, failure, onCancel }: Props) => (
  <>
    {error && (
      <Alert severity="error" title={failure}>
        {explainChange(error)}
      </Alert>
    )}
    <Stack>
      <Button type="submit" disabled={isPending}>
        {t('silences.form.save', 'Save')}
      </Button>
      <Button type="button" variant="secondary" onClick={onCancel}>
        {t('channels.form.cancel', 'Cancel')}
      </Button>
    </Stack>
  </>
);
