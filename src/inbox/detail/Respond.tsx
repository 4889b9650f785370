import { css } from '@emotion/css';
import { getTimeZone, type GrafanaTheme2 } from '@grafana/data';
import { Button, Dropdown, Field, Input, Menu, Modal, TextArea, useStyles2 } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { LIMITS } from '@nodebell/contract/limits.ts';
import type { NotificationDetail } from '@nodebell/contract/notification.ts';
import { may } from '../../components/access';
import { momentLabel } from '../../components/moments';
import { t } from '../../i18n/t';
import { momentEnd, type Preset, PRESETS, presetEnd } from '../snooze';
import { peopleQuery, type Respond } from '../useRespond';

interface Props {
  detail: NotificationDetail;
  disabled: boolean;
  respond: Respond;
}

/** Acknowledge, snooze and assign. */
export function RespondButtons({ detail, disabled, respond }: Props) {
  const mayWrite = may('inbox:write');
  return (
    <>
      {mayWrite && <AcknowledgeButton {...{ detail, disabled, respond }} />}
      {may('inbox:seen') && <SnoozeButton {...{ detail, disabled, respond }} />}
      {mayWrite && <AssignButton {...{ detail, disabled, respond }} />}
    </>
  );
}

function AcknowledgeButton({ detail, disabled, respond }: Props) {
  const acknowledged = detail.thread.acknowledged !== undefined;
  const change = () => respond.acknowledge({ of: { rows: [detail], bursts: [] }, acknowledged: !acknowledged });
  return (
    <Button
      variant="secondary"
      icon={acknowledged ? 'times' : 'check-circle'}
      disabled={disabled}
      onClick={change}
      tooltip={
        acknowledged
          ? undefined
          : t('inbox.respond.acknowledge-text', 'No more messages until it gets worse, or fires after it resolved.')
      }
    >
      {acknowledged
        ? t('inbox.respond.unacknowledge', 'Take back acknowledgement')
        : t('inbox.respond.acknowledge', 'Acknowledge')}
    </Button>
  );
}

const presetLabel = (preset: Preset): string => {
  switch (preset) {
    case 'hour':
      return t('inbox.snooze.hour', 'For an hour');
    case 'tomorrow':
      return t('inbox.snooze.tomorrow', 'Until tomorrow');
    case 'monday':
      return t('inbox.snooze.monday', 'Until Monday');
  }
};

function SnoozeButton({ detail, disabled, respond }: Props) {
  const [choosing, setChoosing] = useState<'me' | 'all'>();
  const { snoozed } = detail.thread;
  const mayAll = may('inbox:write');
  if (snoozed && (snoozed.for === 'me' || mayAll)) {
    return (
      <Button
        variant="secondary"
        icon="bell"
        disabled={disabled}
        onClick={() => respond.snooze({ id: detail.id, until: null, whose: snoozed.for })}
      >
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
          label={presetLabel(preset)}
          description={momentLabel(until, Date.now())}
          onClick={() => respond.snooze({ id: detail.id, until, whose })}
        />
      );
    }),
    <Menu.Item
      key="choose"
      label={t('inbox.snooze.choose', 'Until a date and time')}
      onClick={() => setChoosing(whose)}
    />,
  ];
  const menu = () => (
    <Menu ariaLabel={t('inbox.snooze.snooze', 'Snooze')}>
      {detail.thread.unread !== undefined && items('me')}
      {mayAll && <Menu.Item label={t('inbox.snooze.all', 'For everyone')} childItems={items('all')} />}
    </Menu>
  );
  return (
    <>
      <Dropdown overlay={menu} placement="bottom-start">
        <Button variant="secondary" icon="clock-nine" disabled={disabled} data-respond="snooze">
          {t('inbox.snooze.snooze', 'Snooze')}
        </Button>
      </Dropdown>
      {choosing && (
        <ChooseMoment
          onChoose={(until) => respond.snooze({ id: detail.id, until, whose: choosing })}
          onClose={() => setChoosing(undefined)}
        />
      )}
    </>
  );
}

const DAY_MS = 86_400_000;

function ChooseMoment({ onChoose, onClose }: { onChoose: (until: string) => void; onClose: () => void }) {
  const [local, setLocal] = useState('');
  const [opened] = useState(() => Date.now());
  const until = momentEnd(local, getTimeZone());
  const latest = opened + LIMITS.snoozeDays.value * DAY_MS;
  const isInRange = until !== undefined && Date.parse(until) > opened && Date.parse(until) <= latest;
  const range = t('inbox.snooze.range', 'In the future, and in at most {{n, number}} days.', {
    n: LIMITS.snoozeDays.value,
  });
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
        <Field
          label={t('inbox.snooze.moment', 'Date and time')}
          description={range}
          invalid={until !== undefined && !isInRange}
          error={range}
          noMargin
        >
          <Input
            type="datetime-local"
            autoFocus
            value={local}
            onChange={({ currentTarget }) => setLocal(currentTarget.value)}
          />
        </Field>
        <Modal.ButtonRow>
          <Button variant="secondary" fill="outline" onClick={onClose}>
            {t('inbox.snooze.cancel', 'Cancel')}
          </Button>
          <Button type="submit" disabled={!isInRange}>
            {t('inbox.snooze.snooze', 'Snooze')}
          </Button>
        </Modal.ButtonRow>
      </form>
    </Modal>
  );
}

/** Names in the menu. */
const LISTED = 50;

function AssignButton({ detail, disabled, respond }: Props) {
  const { assignee } = detail.thread;
  return (
    <Dropdown overlay={() => <People {...{ detail, respond, disabled }} />} placement="bottom-start">
      <Button variant="secondary" icon="user" disabled={disabled}>
        {assignee
          ? t('inbox.respond.assigned', 'Assigned to {{name}}', { name: assignee.name })
          : t('inbox.respond.assign', 'Assign')}
      </Button>
    </Dropdown>
  );
}

function People({ detail, respond }: Props) {
  const { data, isPending } = useQuery(peopleQuery());
  const { assignee } = detail.thread;
  const assign = (key: string | null) => () => respond.assign({ id: detail.id, assignee: key });
  const people = (data?.people ?? []).filter(({ key }) => key !== data?.me);
  return (
    <Menu ariaLabel={t('inbox.respond.assign', 'Assign')}>
      {isPending && <Menu.Item label={t('inbox.respond.loading', 'Loading …')} disabled />}
      {data?.me !== undefined && assignee?.key !== data.me && (
        <Menu.Item label={t('inbox.respond.me', 'To me')} icon="user" onClick={assign(data.me)} />
      )}
      {people.slice(0, LISTED).map(({ key, name }) => (
        <Menu.Item key={key} label={name} active={assignee?.key === key} onClick={assign(key)} />
      ))}
      {assignee && <Menu.Item label={t('inbox.respond.nobody', 'To nobody')} icon="times" onClick={assign(null)} />}
    </Menu>
  );
}

/** A field for a comment, which can be the reason of an acknowledgement. */
export function CommentField({
  detail,
  disabled,
  respond,
  fieldRef,
}: Props & { fieldRef?: RefObject<HTMLTextAreaElement> }) {
  const styles = useStyles2(getStyles);
  const [text, setText] = useState('');
  const empty = disabled || text.trim() === '';
  const label = t('inbox.respond.comment-label', 'Add a comment');
  const send = async () => {
    await respond.comment({ id: detail.id, text: text.trim() });
    setText('');
  };
  return (
    <div className={styles.field}>
      <TextArea
        ref={fieldRef}
        aria-label={label}
        placeholder={label}
        rows={2}
        maxLength={LIMITS.commentBytes.value}
        value={text}
        disabled={disabled}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div className={styles.buttons}>
        <Button size="sm" variant="secondary" disabled={empty} onClick={() => void send().catch(() => undefined)}>
          {t('inbox.respond.comment', 'Comment')}
        </Button>
        {!detail.thread.acknowledged && (
          <Button
            size="sm"
            variant="secondary"
            fill="outline"
            disabled={empty}
            onClick={() => {
              respond.acknowledge({ of: { rows: [detail], bursts: [] }, acknowledged: true, comment: text.trim() });
              setText('');
            }}
          >
            {t('inbox.respond.acknowledge-with', 'Acknowledge with this comment')}
          </Button>
        )}
      </div>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  field: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1), maxWidth: 720 }),
  buttons: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1) }),
});
