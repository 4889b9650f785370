import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Checkbox, Combobox, Field, FieldValidationMessage, IconButton, Stack, useStyles2 } from '@grafana/ui';
import { PASSING, type Passing } from '@nodebell/contract/hours.ts';
import { LIMITS } from '@nodebell/contract/limits.ts';
import { useRef } from 'react';
import { TextField } from '../components/TextField';
import { t } from '../i18n/t';
import { DAYS, dayLabel, type HoursDraft, newHours, type QuietDraft } from './hours';
import { ownZone } from './ownZone';
import { atLeastLabel } from './routeInWords';
import { hoursRule } from './texts';
import { ZonePicker } from './ZonePicker';
import { SmallButton } from '../components/SmallButton';

interface Props {
  id: string;
  quiet: QuietDraft;
  /** Paths of what is invalid, such as `quietHours.0.to`. */
  invalid: readonly string[];
  onChange: (quiet: QuietDraft) => void;
}

/** Quiet hours of a channel or a person, and what passes in them. */
export function HoursFields({ id, quiet, invalid, onChange }: Props) {
  const { hours, passing } = quiet;
  return (
    <Stack direction="column" gap={2}>
      <HoursRows
        {...{ id, hours, invalid }}
        labels={{
          add: t('channels.hours.add', 'Add quiet hours'),
          row: (number) => t('channels.hours.number', 'Quiet hours {{number}}', { number }),
          always: t(
            'channels.hours.always',
            'Quiet hours cover the whole week, so held notifications would never be sent. Leave a gap.'
          ),
        }}
        invalidMember="quietHours"
        onChange={(next) => onChange({ ...quiet, hours: next })}
      />
      {hours.length > 0 && (
        <PassingField id={id} value={passing} onChange={(value) => onChange({ ...quiet, passing: value })} />
      )}
    </Stack>
  );
}

interface RowsProps {
  id: string;
  hours: readonly HoursDraft[];
  /** Paths of what is invalid, such as `quietHours.0.to`. */
  invalid: readonly string[];
  /** First part of these paths. */
  invalidMember: string;
  labels: {
    add: string;
    row: (number: number) => string;
    /** Error if they cover the whole week. */
    always: string;
  };
  onChange: (hours: readonly HoursDraft[]) => void;
}

/** Hours of the week. */
export function HoursRows({ id, hours, invalid, invalidMember, labels, onChange }: RowsProps) {
  const add = useRef<HTMLButtonElement>(null);
  return (
    <>
      {hours.map((one, index) => (
        <HoursRow
          // Controlled: nothing but the draft belongs to a row.
          key={index}
          id={`${id}-${index}`}
          name={labels.row(index + 1)}
          hours={one}
          invalid={(member) => invalid.includes(`${invalidMember}.${index}.${member}`)}
          onChange={(next) => onChange(hours.with(index, next))}
          onRemove={() => {
            onChange(hours.toSpliced(index, 1));
            add.current?.focus();
          }}
        />
      ))}
      {invalid.includes(invalidMember) && <FieldValidationMessage>{labels.always}</FieldValidationMessage>}
      {hours.length < LIMITS.quietHours.value && (
        <div>
          <SmallButton ref={add} icon="plus" onClick={() => onChange([...hours, newHours(ownZone())])}>
            {labels.add}
          </SmallButton>
        </div>
      )}
    </>
  );
}

interface PassingProps {
  id: string;
  value: Passing;
  onChange: (passing: Passing) => void;
}

const PassingField = ({ id, value: passing, onChange }: PassingProps) => (
  <Field
    label={t('channels.hours.passing', 'Sent in quiet hours as well')}
    description={t('channels.hours.passing-text', 'Others are held, and sent as one message when they end.')}
    noMargin
  >
    <Combobox
      id={`${id}-passing`}
      options={PASSING.toReversed().map((value) => ({
        value,
        label: value === 'none' ? t('channels.hours.none', 'Nothing') : atLeastLabel(value),
      }))}
      value={passing}
      onChange={({ value }) => onChange(value)}
    />
  </Field>
);

interface RowProps {
  id: string;
  name: string;
  hours: HoursDraft;
  invalid: (member: 'days' | 'from' | 'to' | 'zone') => boolean;
  onChange: (hours: HoursDraft) => void;
  onRemove: () => void;
}

function HoursRow({ id, name, hours, invalid, onChange, onRemove }: RowProps) {
  const styles = useStyles2(getStyles);
  const { days, from, to, zone } = hours;
  return (
    <fieldset className={styles.row} aria-label={name}>
      <div className={styles.days} role="group" aria-label={t('channels.hours.days', 'Days on which they begin')}>
        {DAYS.map((day) => (
          <Checkbox
            key={day}
            id={`${id}-day-${day}`}
            label={dayLabel(day)}
            value={days.includes(day)}
            onChange={({ currentTarget }) =>
              onChange({
                ...hours,
                days: DAYS.filter((one) => (one === day ? currentTarget.checked : days.includes(one))),
              })
            }
          />
        ))}
      </div>
      {invalid('days') && <FieldValidationMessage>{hoursRule('days')}</FieldValidationMessage>}
      <Stack wrap alignItems="flex-start" rowGap={1} columnGap={2}>
        <TextField
          type="time"
          id={`${id}-from`}
          label={t('channels.hours.from', 'From')}
          value={from}
          error={invalid('from') ? hoursRule('from') : undefined}
          onChange={(value) => onChange({ ...hours, from: value })}
        />
        <TextField
          type="time"
          id={`${id}-to`}
          label={t('channels.hours.to', 'To')}
          value={to}
          error={invalid('to') ? hoursRule(to !== '' && to === from ? 'to' : 'from') : undefined}
          onChange={(value) => onChange({ ...hours, to: value })}
        />
        <ZoneField id={`${id}-zone`} value={zone} onChange={(value) => onChange({ ...hours, zone: value })} />
        <IconButton
          name="trash-alt"
          className={styles.remove}
          tooltip={t('channels.hours.remove', 'Remove: {{name}}', { name })}
          onClick={onRemove}
        />
      </Stack>
    </fieldset>
  );
}

export function ZoneField(props: { id: string; value: string; onChange: (zone: string) => void }) {
  const styles = useStyles2(getStyles);
  return (
    <Field label={t('channels.hours.zone', 'Time zone')} className={styles.zone} noMargin>
      <ZonePicker {...props} />
    </Field>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  row: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(1),
    padding: theme.spacing(1.5),
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
  }),
  days: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0.5, 2) }),
  zone: css({ flex: '1 1 200px', minWidth: 0 }),
  // In line with the inputs, below their labels.
  remove: css({ marginTop: theme.spacing(3.5) }),
});
