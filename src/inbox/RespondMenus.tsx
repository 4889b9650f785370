/** Menus to snooze and to assign threads, of the detail and of selected rows. */
import { getTimeZone } from '@grafana/data';
import { Button, type ButtonProps, Combobox, Dropdown, Field, Menu, Modal } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { LIMITS } from '@nodebell/contract/limits.ts';
import type { Thread } from '@nodebell/contract/notification.ts';
import { DAY_MS } from '@nodebell/contract/time.ts';
import { peopleQuery } from '../api/respond';
import { may } from '../api/permissions';
import { afterMenu } from '../components/afterMenu';
import { momentLabel, momentOfInput } from '../components/moments';
import { t } from '../i18n/t';
import { MomentField } from './MomentField';
import { type Preset, PRESETS, presetEnd } from './snooze';
import { ModalButtons } from '../components/ModalButtons';

const PRESET_LABELS: Record<Preset, () => string> = {
  hour: () => t('inbox.snooze.hour', 'For an hour'),
  tomorrow: () => t('inbox.snooze.tomorrow', 'Until tomorrow'),
  monday: () => t('inbox.snooze.monday', 'Until Monday'),
};

interface SnoozeProps {
  disabled: boolean;
  size?: ButtonProps['size'];
  /** Whether they can be snoozed for oneself: not without a read state of one's own. */
  own: boolean;
  /** Undefined: none of them is snoozed. */
  snoozed?: 'me' | 'all' | undefined;
  onSnooze: (until: string | null, whose: 'me' | 'all') => void;
}

export function SnoozeButton({ disabled, size = 'md', own, snoozed, onSnooze }: SnoozeProps) {
  const [choosing, setChoosing] = useState<'me' | 'all'>();
  const mayAll = may('inbox:write');
  if (snoozed === 'me' || (snoozed === 'all' && mayAll)) {
    return (
      <Button variant="secondary" icon="bell" size={size} disabled={disabled} onClick={() => onSnooze(null, snoozed)}>
        {t('inbox.snooze.end', 'End snooze')}
      </Button>
    );
  }
  const items = (whose: 'me' | 'all') => [
    ...PRESETS.map((preset) => {
      const until = presetEnd(preset, Date.now(), getTimeZone());
      return (
        <Menu.Item
          key={preset}
          label={PRESET_LABELS[preset]()}
          description={momentLabel(until, Date.now())}
          onClick={() => onSnooze(until, whose)}
        />
      );
    }),
    <Menu.Item
      key="choose"
      label={t('inbox.snooze.choose', 'Until a date and time')}
      onClick={() => afterMenu(() => setChoosing(whose))}
    />,
  ];
  const menu = () => (
    <Menu ariaLabel={t('inbox.snooze.snooze', 'Snooze')}>
      {own && items('me')}
      {mayAll && <Menu.Item label={t('inbox.snooze.all', 'For everyone')} childItems={items('all')} />}
    </Menu>
  );
  return (
    <>
      <Dropdown overlay={menu} placement="bottom-start">
        <Button variant="secondary" icon="clock-nine" size={size} disabled={disabled} data-respond="snooze">
          {t('inbox.snooze.snooze', 'Snooze')}
        </Button>
      </Dropdown>
      {choosing && (
        <ChooseMoment onChoose={(until) => onSnooze(until, choosing)} onClose={() => setChoosing(undefined)} />
      )}
    </>
  );
}

/** A row that has got the focus meanwhile keeps it. */
function returnFocus(opener: Element | null) {
  if (!document.activeElement?.matches('[role=row]')) {
    (opener as HTMLElement | null)?.focus();
  }
}

function ChooseMoment({ onChoose, onClose }: { onChoose: (until: string) => void; onClose: () => void }) {
  const [local, setLocal] = useState('');
  const [opened] = useState(() => Date.now());
  const [opener] = useState(() => document.activeElement);
  // Modal returns the focus to what had it when it was shown, which is the field: it has taken the focus by then.
  useEffect(() => () => void requestAnimationFrame(() => returnFocus(opener)), [opener]);
  const until = momentOfInput(local, getTimeZone());
  const latest = opened + LIMITS.snoozeDays.value * DAY_MS;
  const isInRange = until !== undefined && Date.parse(until) > opened && Date.parse(until) <= latest;
  return (
    <Modal isOpen title={t('inbox.snooze.until', 'Snooze until')} onDismiss={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isInRange) {
            onChoose(until);
            onClose();
          }
        }}
      >
        <MomentField
          id="nodebell-snooze-until"
          autoFocus
          days={LIMITS.snoozeDays.value}
          value={local}
          invalid={until !== undefined && !isInRange}
          onChange={setLocal}
        />
        <ModalButtons onCancel={onClose} type="submit" disabled={!isInRange}>
          {t('inbox.snooze.snooze', 'Snooze')}
        </ModalButtons>
      </form>
    </Modal>
  );
}

/** Names in the menu; the others are found in a dialog. */
const LISTED = 20;

interface AssignProps {
  disabled: boolean;
  size?: ButtonProps['size'];
  /** Assignee of one thread. Undefined: nobody; `several`: several threads, which may have some. */
  assignee: Thread['assignee'] | 'several';
  onAssign: (assignee: string | null) => void;
}

export function AssignButton({ disabled, size = 'md', assignee, onAssign }: AssignProps) {
  const [choosing, setChoosing] = useState(false);
  return (
    <>
      <Dropdown
        overlay={() => <People {...{ assignee, onAssign }} onMore={() => afterMenu(() => setChoosing(true))} />}
        placement="bottom-start"
      >
        <Button variant="secondary" icon="user" size={size} disabled={disabled}>
          {assignee === undefined || assignee === 'several'
            ? t('inbox.respond.assign', 'Assign')
            : t('inbox.respond.assigned', 'Assigned to {{name}}', { name: assignee.name })}
        </Button>
      </Dropdown>
      {choosing && <ChoosePerson onAssign={onAssign} onClose={() => setChoosing(false)} />}
    </>
  );
}

interface PeopleProps extends Pick<AssignProps, 'assignee' | 'onAssign'> {
  onMore: () => void;
}

function People({ assignee, onAssign, onMore }: PeopleProps) {
  const { data, isPending, error } = useQuery(peopleQuery);
  const assigned = typeof assignee === 'object' ? assignee.key : undefined;
  const people = (data?.people ?? []).filter(({ key }) => key !== data?.me);
  const { me } = data ?? {};
  return (
    <Menu ariaLabel={t('inbox.respond.assign', 'Assign')}>
      {isPending && <Menu.Item label={t('inbox.respond.loading', 'Loading…')} disabled />}
      {error && !data && <Menu.Item label={t('inbox.respond.no-people', 'Could not load the users')} disabled />}
      {me !== undefined && assigned !== me && (
        <Menu.Item label={t('inbox.respond.me', 'To me')} icon="user" onClick={() => onAssign(me)} />
      )}
      {people.slice(0, LISTED).map(({ key, name }) => (
        <Menu.Item key={key} label={name} active={assigned === key} onClick={() => onAssign(key)} />
      ))}
      {people.length > LISTED && (
        <Menu.Item label={t('inbox.respond.more', 'Other user…')} icon="users-alt" onClick={onMore} />
      )}
      {assignee && (
        <Menu.Item label={t('inbox.respond.nobody', 'Unassign')} icon="times" onClick={() => onAssign(null)} />
      )}
    </Menu>
  );
}

/** Any user, by name. */
function ChoosePerson({ onAssign, onClose }: Pick<AssignProps, 'onAssign'> & { onClose: () => void }) {
  const { data } = useQuery(peopleQuery);
  const [chosen, setChosen] = useState<string>();
  return (
    <Modal isOpen title={t('inbox.respond.assign', 'Assign')} onDismiss={onClose}>
      <Field label={t('inbox.respond.user', 'User')} noMargin>
        <Combobox
          id="nodebell-assignee"
          options={(data?.people ?? []).map(({ key, name }) => ({ value: key, label: name }))}
          value={chosen ?? null}
          onChange={({ value }) => setChosen(value)}
        />
      </Field>
      <ModalButtons
        onCancel={onClose}
        disabled={chosen === undefined}
        onClick={() => {
          if (chosen !== undefined) {
            onAssign(chosen);
            onClose();
          }
        }}
      >
        {t('inbox.respond.assign', 'Assign')}
      </ModalButtons>
    </Modal>
  );
}
