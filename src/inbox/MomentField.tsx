import { TextField } from '../components/TextField';
import { ownZone } from '../channels/ownZone';
import { t } from '../i18n/t';

interface Props {
  id: string;
  /** Value of an input of type `datetime-local`. */
  value: string;
  /** Latest allowed day, in days from now. */
  days: number;
  invalid: boolean;
  autoFocus?: boolean;
  onChange: (value: string) => void;
}

/** A moment of choice, in the time zone of the user. */
export function MomentField({ days, invalid, ...input }: Props) {
  const range = t('inbox.snooze.range', 'In the future, and in at most {{n, number}} days.', { n: days });
  return (
    <TextField
      label={t('inbox.snooze.moment-zone', 'Date and time ({{zone}})', { zone: ownZone() })}
      description={invalid ? undefined : range}
      error={invalid ? range : undefined}
      type="datetime-local"
      {...input}
    />
  );
}
