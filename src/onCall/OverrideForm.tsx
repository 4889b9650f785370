import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Combobox, Drawer, Stack, useStyles2 } from '@grafana/ui';
import { type Override, overrideSchema, type Schedules } from '@nodebell/contract/onCall.ts';
import { DAY_MS, HOUR_MS } from '@nodebell/contract/time.ts';
import { useQueryClient } from '@tanstack/react-query';
import { addOverride, schedulesKey } from '../api/schedules';
import { FormEnd } from '../components/FormEnd';
import { inputOfMoment, momentOfInput } from '../components/moments';
import { SecondaryText } from '../components/SecondaryText';
import { FormField, TextField } from '../components/TextField';
import { useDraftForm } from '../components/useDraftForm';
import { t } from '../i18n/t';
import { peopleIn, type Schedule } from './timeline';

interface Props {
  schedule: Schedule;
  people: Schedules['people'];
  /** Values of inputs of type `datetime-local`, in the time zone of the schedule; null: the next day. */
  span: { from: string | null; to: string | null };
  onDone: () => void;
}

const ERRORS: Partial<Record<string, () => string>> = {
  person: () => t('on-call.form.person-rule', 'A person'),
  from: () => t('silences.form.time-rule', 'A date and time'),
  to: () => t('silences.form.end-rule', 'A date and time after the start'),
};

/** Adds an override: somebody is on call instead of all others. */
export function OverrideForm({ schedule, people, span, onDone }: Props) {
  const styles = useStyles2(getStyles);
  const { zone = 'UTC', name } = schedule;
  const { draft, change, submit, save, errorOf } = useOverrideForm({ schedule, span, onDone });
  return (
    <Drawer
      size="sm"
      title={t('on-call.form.title', 'Override in {{name}}', { name })}
      closeOnMaskClick={false}
      onClose={onDone}
    >
      <form onSubmit={submit} noValidate className={styles.form}>
        <FormField
          label={t('on-call.form.person', 'On call')}
          description={t('on-call.form.person-text', 'Instead of all others in this schedule.')}
          error={errorOf('person')}
        >
          <Combobox
            id="override-person"
            disabled={people.length === 0}
            placeholder={
              people.length === 0
                ? t('on-call.form.no-people', 'No people')
                : t('on-call.form.choose', 'Choose a person')
            }
            options={people.map(({ login, reachable }) => ({
              value: login,
              ...(!reachable && { description: t('on-call.form.unreachable', 'No enabled channel or device') }),
            }))}
            value={draft.person === '' ? null : draft.person}
            onChange={({ value }) => change({ person: value })}
          />
        </FormField>
        <Times {...{ draft, zone, change, errorOf }} />
        <Replaced {...{ schedule, draft, zone }} />
        <FormEnd
          save={save}
          failure={t('on-call.form.not-saved', 'Could not save the override')}
          blocked={
            people.length === 0
              ? t(
                  'on-call.form.no-people-text',
                  'Nobody can be on call instead: no provisioning file of the bridge has people with channels.'
                )
              : undefined
          }
          onCancel={onDone}
        />
      </form>
    </Drawer>
  );
}

type Form = ReturnType<typeof useOverrideForm>;

const Times = ({ draft, zone, change, errorOf }: Pick<Form, 'draft' | 'change' | 'errorOf'> & { zone: string }) => (
  <Stack wrap>
    <TextField
      id="override-from"
      type="datetime-local"
      label={t('silences.form.start', 'Start ({{zone}})', { zone })}
      value={draft.from}
      error={errorOf('from')}
      onChange={(from) => change({ from })}
    />
    <TextField
      id="override-to"
      type="datetime-local"
      label={t('silences.form.end', 'End ({{zone}})', { zone })}
      value={draft.to}
      error={errorOf('to')}
      onChange={(to) => change({ to })}
    />
  </Stack>
);

/** The people whom the override replaces. */
function Replaced({ schedule, draft, zone }: Pick<Props, 'schedule'> & { draft: Override; zone: string }) {
  const [from, to] = [draft.from, draft.to].map((input) => Date.parse(momentOfInput(input, zone) ?? ''));
  const names = peopleIn(schedule, from!, to!).filter((login) => login !== draft.person);
  return names.length === 0 ? null : (
    <SecondaryText>{t('on-call.form.replaced', 'Instead of {{names}}', { names: names.join(', ') })}</SecondaryText>
  );
}

function useOverrideForm({ schedule: { name, zone = 'UTC' }, span, onDone }: Omit<Props, 'people'>) {
  const client = useQueryClient();
  return useDraftForm<Override, Override>({
    initial: () => {
      const hour = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
      return {
        person: '',
        from: span.from ?? inputOfMoment(hour, zone),
        to: span.to ?? inputOfMoment(hour + DAY_MS, zone),
      };
    },
    parse: (draft) => overrideSchema.safeParse(draft),
    errors: ERRORS,
    save: async (body) => {
      await addOverride(name, body);
      // The list has the override when the form closes.
      await client.invalidateQueries({ queryKey: schedulesKey });
    },
    onDone,
  });
}

const getStyles = (theme: GrafanaTheme2) => ({
  form: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(2),
  }),
});
