import { css } from '@emotion/css';
import { getTimeZone, type GrafanaTheme2 } from '@grafana/data';
import { RadioButtonGroup, Stack, useStyles2 } from '@grafana/ui';
import { LIMITS } from '@nodebell/contract/limits.ts';
import { type Maintenance, type MaintenanceBody, maintenanceBodySchema } from '@nodebell/contract/suppression.ts';
import { HOUR_MS } from '@nodebell/contract/time.ts';
import { saveMaintenance } from '../api/maintenance';
import { hoursDraftOf, type HoursDraft, hoursOfDraft, newHours } from '../channels/hours';
import { HoursRows } from '../channels/HoursFields';
import { ownZone } from '../channels/ownZone';
import { FormEnd } from '../components/FormEnd';
import { inputOfMoment, momentOfInput } from '../components/moments';
import { FormField, TextField } from '../components/TextField';
import { useDraftForm } from '../components/useDraftForm';
import { useFocusOnMount } from '../components/useFocusOnMount';
import { t } from '../i18n/t';
import { MatchersField } from '../components/MatchersField';

interface Props {
  /** The window to change; undefined: a new one. */
  window: Maintenance | undefined;
  onDone: () => void;
}

/** A window as the form has it. Times are values of inputs of type `datetime-local`. */
interface Draft {
  name: string;
  matchers: string;
  isWeekly: boolean;
  start: string;
  end: string;
  hours: readonly HoursDraft[];
}

const inputOf = (ms: number): string => inputOfMoment(ms, getTimeZone());

function draftOf(window: Maintenance | undefined): Draft {
  const now = Date.now();
  return {
    name: window?.name ?? '',
    matchers: window?.matchers ?? '',
    isWeekly: window?.weekly !== undefined,
    start: inputOf(window?.startsAt === undefined ? now : Date.parse(window.startsAt)),
    end: inputOf(window?.endsAt === undefined ? now + HOUR_MS : Date.parse(window.endsAt)),
    hours: window?.weekly?.map(hoursDraftOf) ?? [newHours(ownZone())],
  };
}

/** An input has neither seconds nor, for a local time that occurs twice, which one it is. An incomplete time is invalid, not absent. */
const momentOf = (input: string, kept: string | undefined): string =>
  kept !== undefined && input === inputOf(Date.parse(kept)) ? kept : (momentOfInput(input, getTimeZone()) ?? '');

/** @param kept the window as it was; the form does not show the bounds of a weekly one */
function bodyOf({ name, matchers, isWeekly, start, end, hours }: Draft, kept: Partial<Maintenance>) {
  const { startsAt, endsAt } = kept;
  return isWeekly
    ? {
        ...(kept.weekly && { ...(startsAt !== undefined && { startsAt }), ...(endsAt !== undefined && { endsAt }) }),
        ...{ name, matchers, weekly: hours.map(hoursOfDraft) },
      }
    : {
        ...{ name, matchers },
        startsAt: momentOf(start, startsAt),
        endsAt: momentOf(end, endsAt),
      };
}

const ERRORS: Partial<Record<keyof MaintenanceBody, () => string>> = {
  name: () => t('silences.form.name-rule', 'A name of at most {{n}} bytes', { n: LIMITS.windowNameBytes.value }),
  matchers: () => t('silences.form.matchers-rule', 'At least one label, such as instance="nas"'),
  startsAt: () => t('silences.form.time-rule', 'A date and time'),
  endsAt: () => t('silences.form.end-rule', 'A date and time after the start'),
};

/** Adds a maintenance window, or changes one. */
export function WindowForm({ window, onDone }: Props) {
  const styles = useStyles2(getStyles);
  const form = useFocusOnMount<HTMLFormElement>();
  const { draft, change, submit, save, invalid, errorOf } = useWindowForm({ window, onDone });
  return (
    <form ref={form} tabIndex={-1} onSubmit={submit} noValidate className={styles.form}>
      <TextField
        id="window-name"
        label={t('silences.form.name', 'Name')}
        description={t('silences.form.name-text', 'Shown on the alerts that are not sent.')}
        value={draft.name}
        error={errorOf('name')}
        onChange={(name) => change({ name })}
      />
      <FormField
        label={t('silences.form.matchers', 'Labels')}
        description={t(
          'silences.form.matchers-text',
          'All must match. package, node, category and priority are labels too.'
        )}
        error={errorOf('matchers')}
      >
        <MatchersField
          invalid={errorOf('matchers') !== undefined}
          value={draft.matchers}
          onChange={(matchers) => change({ matchers })}
        />
      </FormField>
      <Times {...{ draft, invalid, errorOf }} onChange={change} />
      <FormEnd
        save={save}
        failure={t('silences.form.not-saved', 'Could not save the maintenance window')}
        onCancel={onDone}
      />
    </form>
  );
}

const useWindowForm = ({ window, onDone }: Props) =>
  useDraftForm<Draft, MaintenanceBody>({
    initial: () => draftOf(window),
    parse: (draft) => maintenanceBodySchema.safeParse(bodyOf(draft, window ?? {})),
    errors: ERRORS,
    save: (body) => saveMaintenance(window?.id, body),
    onDone,
  });

type Form = ReturnType<typeof useWindowForm>;

function Times({
  draft: { isWeekly, hours, start, end },
  invalid,
  errorOf,
  onChange,
}: Pick<Form, 'draft' | 'invalid' | 'errorOf'> & { onChange: Form['change'] }) {
  return (
    <>
      {/* As wide as its options. */}
      <div>
        <RadioButtonGroup
          aria-label={t('silences.form.when', 'When')}
          options={[
            { value: false, label: t('silences.form.once', 'Once') },
            { value: true, label: t('silences.form.weekly', 'Each week') },
          ]}
          value={isWeekly}
          onChange={(chosen) => onChange({ isWeekly: chosen })}
        />
      </div>
      {isWeekly ? (
        <HoursRows
          id="window"
          {...{ hours, invalid, invalidMember: 'weekly' }}
          labels={{
            add: t('silences.form.add-hours', 'Add hours'),
            row: (number) => t('silences.form.hours', 'Hours {{number}}', { number }),
            always: t('silences.form.always', 'At least one entry is required, and the week must not be covered.'),
          }}
          onChange={(next) => onChange({ hours: next })}
        />
      ) : (
        <Stack wrap>
          <TextField
            id="window-start"
            type="datetime-local"
            label={t('silences.form.start', 'Start ({{zone}})', { zone: ownZone() })}
            value={start}
            error={errorOf('startsAt')}
            onChange={(next) => onChange({ start: next })}
          />
          <TextField
            id="window-end"
            type="datetime-local"
            label={t('silences.form.end', 'End ({{zone}})', { zone: ownZone() })}
            value={end}
            error={errorOf('endsAt')}
            onChange={(next) => onChange({ end: next })}
          />
        </Stack>
      )}
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  form: css({
    '&:focus': { outline: 'none' },
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(2),
    maxWidth: 720,
  }),
});
