import { css } from '@emotion/css';
import { Badge, Button, Icon, LinkButton, Stack, Text } from '@grafana/ui';
import { useState } from 'react';
import { SCHEDULES } from '@nodebell/contract/api/schedules.ts';
import type { Schedules } from '@nodebell/contract/onCall.ts';
import { requestOf } from '@nodebell/contract/operation.ts';
import { addressOf } from '../api/client';
import { may } from '../api/permissions';
import { ownZone } from '../channels/ownZone';
import { Bordered } from '../components/Bordered';
import { absoluteTime, momentIn } from '../components/moments';
import { SecondaryText } from '../components/SecondaryText';
import { t } from '../i18n/t';
import { ScheduleOverrides } from './ScheduleOverrides';
import { Shifts } from './Shifts';
import { Timeline } from './Timeline';
import { namesOf } from './texts';
import { piecesOf, type Schedule, unreachableIn } from './timeline';
import { SmallButton } from '../components/SmallButton';

interface Props {
  schedule: Schedule;
  people: Schedules['people'];
  /** The user is on call in it. */
  isMine: boolean;
  /** Opens the form, with these query parameters. */
  onOverride: (search: Record<string, string>) => void;
}

const SMALL = { size: 'sm', variant: 'secondary' } as const;

/** A schedule: who is on call now and next, its gaps, timeline, overrides and shifts. */
export function ScheduleCard({ schedule, people, isMine, onOverride }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { name, zone = 'UTC' } = schedule;
  const pieces = piecesOf(schedule);
  const unreachable = unreachableIn(schedule, people);
  const override = (span: object) => onOverride({ override: name, ...span });
  return (
    <li aria-label={name}>
      <Bordered padding={2} display="flex" direction="column" gap={2}>
        <Stack wrap alignItems="flex-start" justifyContent="space-between">
          <div className={text}>
            <Stack wrap alignItems="center" rowGap={0.5} columnGap={1}>
              <Text element="h2" variant="h4">
                {name}
              </Text>
              {isMine && <Badge color="green" icon="user" text={t('on-call.card.mine', 'You are on call')} />}
            </Stack>
            <Now {...{ schedule, zone }} />
            <Warnings {...{ schedule, zone, unreachable }} />
          </div>
          <Stack wrap gap={1}>
            {/* Without a target, Grafana's router would handle the link. */}
            <LinkButton
              {...{ ...SMALL, icon: 'download-alt', target: '_self', download: '' }}
              href={addressOf(requestOf(SCHEDULES.getScheduleCalendar, { params: { name } }).path)}
              aria-label={t('on-call.card.calendar-of', 'Download calendar of {{name}}', { name })}
            >
              {t('on-call.card.calendar', 'Download calendar')}
            </LinkButton>
            {may('inbox:write') && (
              <Button
                {...SMALL}
                icon="exchange-alt"
                aria-label={t('on-call.card.add-what', 'Add override for {{name}}', { name })}
                onClick={() => override({})}
              >
                {t('on-call.card.add', 'Add override')}
              </Button>
            )}
          </Stack>
        </Stack>
        {pieces.length > 0 && <Timeline {...{ pieces, zone, unreachable }} />}
        <ScheduleOverrides {...{ schedule, zone }} />
        <div>
          <SmallButton
            fill="text"
            icon={isOpen ? 'angle-down' : 'angle-right'}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {t('on-call.card.shifts', 'Shifts of the next two weeks ({{n, number}})', { n: pieces.length })}
          </SmallButton>
          {isOpen && <Shifts {...{ pieces, zone }} onOverride={override} />}
        </div>
      </Bordered>
    </li>
  );
}

type Part = Pick<Props, 'schedule'> & { zone: string };

/** Who is on call until when, and who is next. */
function Now({ schedule: { onCall, until, next, file, calendar }, zone }: Part) {
  return (
    <>
      <Text element="p">
        {onCall.length > 0 && <strong dir="auto">{namesOf(onCall)}</strong>}
        {onCall.length === 0 && <Text color="warning">{namesOf(onCall)}</Text>}
        {until !== null && (
          <span title={t('on-call.card.own-time', 'Your time: {{time}}', { time: absoluteTime(until) })}>
            {' '}
            {t('on-call.card.until', 'until {{time}}, then {{names}}', {
              time: momentIn(until, zone),
              names: next.length > 0 ? namesOf(next) : t('on-call.card.nobody', 'nobody'),
            })}
          </span>
        )}
      </Text>
      <SecondaryText element="p">
        {[
          zone === ownZone()
            ? t('on-call.card.zone', 'Times in {{zone}}', { zone })
            : t('on-call.card.zones', 'Times in {{zone}}; your time zone is {{own}}', { zone, own: ownZone() }),
          t('channels.row.provisioned', 'Provisioned by {{file}}', { file }),
          ...(calendar?.failure === null ? [calendarText(calendar.readAt, zone)] : []),
        ].join(' · ')}
      </SecondaryText>
    </>
  );
}

const calendarText = (readAt: string | null, zone: string): string =>
  readAt === null
    ? t('on-call.card.calendar-unread', 'Calendar not read yet')
    : t('on-call.card.calendar-read', 'Calendar read {{time}}', { time: momentIn(readAt, zone) });

function Warnings({ schedule: { gaps, calendar }, zone, unreachable }: Part & { unreachable: readonly string[] }) {
  const [gap] = gaps;
  return (
    <>
      {gap && (
        <Warning>
          {t('on-call.card.gaps', '', {
            count: gaps.length,
            time: momentIn(gap.from, zone),
            defaultValue_one: 'Nobody on call from {{time}}',
            defaultValue_other: 'Nobody on call in {{count, number}} gaps, the first from {{time}}',
          })}
        </Warning>
      )}
      {calendar && calendar.failure !== null && (
        <Warning>
          {calendar.readAt === null
            ? t('on-call.card.calendar-failed', 'Could not read the calendar: {{reason}}', { reason: calendar.failure })
            : t('on-call.card.calendar-stale', 'Stale calendar, last read {{time}}: {{reason}}', {
                time: momentIn(calendar.readAt, zone),
                reason: calendar.failure,
              })}
        </Warning>
      )}
      {calendar && calendar.unknown.length > 0 && (
        <Warning>
          {t('on-call.card.calendar-unknown', 'Unknown names in the calendar: {{names}}', {
            names: calendar.unknown.join(', '),
          })}
        </Warning>
      )}
      {unreachable.length > 0 && (
        <Warning>
          {t('on-call.card.unreachable', 'No channel reaches {{names}}', { names: unreachable.join(', ') })}
        </Warning>
      )}
    </>
  );
}

const Warning = ({ children }: { children: string }) => (
  <Text element="p" variant="bodySmall" color="warning">
    <Icon name="exclamation-triangle" size="sm" /> {children}
  </Text>
);

const text = css({ flex: '1 1 200px', minWidth: 0, overflowWrap: 'anywhere' });
