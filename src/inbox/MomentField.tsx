import { Field, Input } from '@grafana/ui';
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
export function MomentField({ id, value, days, invalid, autoFocus = false, onChange }: Props) {
  const range = t('inbox.snooze.range', 'In the future, and in at most {{n, number}} days.', { n: days });
  return (
    <Field
      label={t('inbox.snooze.moment-zone', 'Date and time ({{zone}})', { zone: ownZone() })}
      description={invalid ? undefined : range}
      invalid={invalid}
      error={range}
      noMargin
    >
      <Input
        id={id}
        type="datetime-local"
        autoFocus={autoFocus}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </Field>
  );
}
