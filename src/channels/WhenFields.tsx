import { css } from '@emotion/css';
import { Combobox, Field, Switch } from '@grafana/ui';
import type { Route } from '@nodebell/contract/channel.ts';
import { TextField } from '../components/TextField';
import { t } from '../i18n/t';
import { ZoneField } from './HoursFields';
import { DAYS, dayLabel, readWhen, type When, WHEN, writeWhen } from './hours';
import { ownZone } from './ownZone';
import { routeRule } from './texts';

interface Props {
  id: string;
  route: Route;
  /** Members that are invalid. */
  invalid: readonly string[];
  onChange: (route: Route) => void;
}

const WHEN_LABELS: Record<When['when'], () => string> = {
  'at-once': () => t('channels.when.at-once', 'At once'),
  unacknowledged: () => t('channels.when.unacknowledged', 'If nobody acknowledges'),
  hourly: () => t('channels.when.hourly', 'Digest, hourly'),
  daily: () => t('channels.when.daily', 'Digest, daily'),
  weekly: () => t('channels.when.weekly', 'Digest, weekly'),
};

const DEFAULT_AFTER = '10m';
const DEFAULT_TIME = '08:00';

/** When a route sends: at once, as a digest, or what nobody has acknowledged in time. */
export function WhenFields(props: Props) {
  const { id, route, invalid, onChange } = props;
  const current = readWhen(route);
  const { when, after, time } = current;
  const set = (change: Partial<When>) => {
    const { digest: _digest, unacknowledged: _unacknowledged, ...others } = route;
    onChange({ ...others, ...writeWhen({ ...current, ...change }) });
  };
  const choose = (next: When['when']) =>
    set({
      when: next,
      after: after || DEFAULT_AFTER,
      ...(time === '' && { time: DEFAULT_TIME, zone: ownZone() }),
    });
  return (
    <>
      <Field
        label={t('channels.when.label', 'Sent')}
        invalid={invalid.includes('when')}
        error={t(
          'channels.rule.when',
          'Channels to another Nodebell need a route that sends at once and discards nothing'
        )}
        noMargin
      >
        <Combobox
          id={`${id}-when`}
          options={WHEN.map((value) => ({ value, label: WHEN_LABELS[value]() }))}
          value={when}
          onChange={({ value }) => choose(value)}
        />
      </Field>
      {when === 'unacknowledged' && <AfterField {...props} after={after} onAfter={(value) => set({ after: value })} />}
      {(when === 'daily' || when === 'weekly') && <DigestFields {...props} current={current} onSet={set} />}
      <DropResolved {...props} />
    </>
  );
}

function AfterField({ id, invalid, after, onAfter }: Props & { after: string; onAfter: (after: string) => void }) {
  return (
    <TextField
      id={`${id}-after`}
      label={t('channels.when.after', 'Within')}
      description={t('channels.when.after-text', 'Such as 10m or 2h. Reading does not count.')}
      autoComplete="off"
      value={after}
      error={invalid.includes('unacknowledged') ? routeRule('unacknowledged') : undefined}
      onChange={(value) => onAfter(value.trim())}
    />
  );
}

interface DigestProps extends Props {
  current: When;
  onSet: (change: Partial<When>) => void;
}

function DigestFields({ id, invalid, current: { when, day, time, zone }, onSet }: DigestProps) {
  return (
    <>
      {when === 'weekly' && (
        <Field label={t('channels.when.day', 'Day')} noMargin>
          <Combobox
            id={`${id}-day`}
            options={DAYS.map((value) => ({ value, label: dayLabel(value, 'long') }))}
            value={day}
            onChange={({ value }) => onSet({ day: value })}
          />
        </Field>
      )}
      <TextField
        type="time"
        id={`${id}-time`}
        label={t('channels.when.time', 'Time')}
        value={time}
        error={invalid.includes('digest') ? routeRule('digest') : undefined}
        onChange={(value) => onSet({ time: value })}
      />
      <ZoneField id={`${id}-zone`} value={zone} onChange={(value) => onSet({ zone: value })} />
    </>
  );
}

function DropResolved({ id, route, onChange }: Props) {
  const { dropResolved = false, ...others } = route;
  return (
    <Field
      label={t('channels.when.drop-resolved', 'Drop alerts that resolve while held')}
      description={t('channels.when.drop-resolved-text', 'Otherwise they are sent as “Fired and resolved”.')}
      className={wide}
      noMargin
    >
      <Switch
        id={`${id}-drop-resolved`}
        value={dropResolved}
        onChange={({ currentTarget }) => onChange({ ...others, ...(currentTarget.checked && { dropResolved: true }) })}
      />
    </Field>
  );
}

const wide = css({ gridColumn: '1 / -1' });
