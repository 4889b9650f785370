import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { ConfirmModal, IconButton, type IconName, TextArea, TextLink, useStyles2 } from '@grafana/ui';
import { Fragment, type RefObject, useRef, useState } from 'react';
import { LIMITS } from '@nodebell/contract/limits.ts';
import { type Activity, SUPPRESSORS, type Suppressor } from '@nodebell/contract/respond.ts';
import { may } from '../../api/permissions';
import { absoluteTime, momentLabel } from '../../components/moments';
import { t } from '../../i18n/t';
import { splitLinks } from '../links';
import { TimelineItem } from './TimelineItem';
import { useComments } from './useComments';
import { SmallButton } from '../../components/SmallButton';
import { PendingButton } from '../../components/PendingButton';

interface Props {
  activity: Activity;
  newDay: boolean;
  now: number;
}

/** An act or a comment in the history of a thread. */
export function ActivityEntry({ activity, newDay, now }: Props) {
  const styles = useStyles2(getStyles);
  const [editing, setEditing] = useState(false);
  const editRef = useRef<HTMLButtonElement>(null);
  const words = wordsOf(activity);
  return (
    <TimelineItem
      activity={activity.id}
      at={activity.at}
      icon={ICONS[activity.kind]}
      tone="secondary"
      {...{ newDay, now }}
    >
      <div className={styles.content}>
        <span className={styles.line}>
          <span className={styles.label}>{activityLabel(activity, now)}</span>
          {activity.editedAt !== undefined && (
            <span title={absoluteTime(activity.editedAt)}>{t('inbox.activity.edited', 'edited')}</span>
          )}
          {activity.kind === 'comment' && may('inbox:write') && (
            <CommentButtons {...{ activity, editRef }} onEdit={() => setEditing(true)} />
          )}
        </span>
        {editing ? (
          <EditComment
            activity={activity}
            onClose={() => {
              setEditing(false);
              editRef.current?.focus();
            }}
          />
        ) : (
          words !== '' && <CommentText text={words} />
        )}
      </div>
    </TimelineItem>
  );
}

interface CommentButtonsProps extends Pick<Props, 'activity'> {
  editRef: RefObject<HTMLButtonElement>;
  onEdit: () => void;
}

function CommentButtons({ activity, editRef, onEdit }: CommentButtonsProps) {
  const { remove } = useComments();
  const [asking, setAsking] = useState(false);
  return (
    <>
      {activity.own && (
        <IconButton
          ref={editRef}
          name="pen"
          size="sm"
          tooltip={t('inbox.activity.edit', 'Edit comment')}
          onClick={onEdit}
        />
      )}
      {(activity.own ?? may('bridge:admin')) && (
        <IconButton
          name="trash-alt"
          size="sm"
          tooltip={t('inbox.activity.delete', 'Delete comment')}
          onClick={() => setAsking(true)}
        />
      )}
      <ConfirmModal
        isOpen={asking}
        title={t('inbox.activity.delete', 'Delete comment')}
        body={t('inbox.activity.delete-text', 'The comment is deleted for everyone. This cannot be undone.')}
        confirmText={t('inbox.action.delete', 'Delete')}
        onConfirm={() => {
          setAsking(false);
          remove(activity.id);
        }}
        onDismiss={() => setAsking(false)}
      />
    </>
  );
}

const ICONS: Record<Activity['kind'], IconName> = {
  comment: 'comment-alt',
  acknowledged: 'check',
  unacknowledged: 'times',
  ended: 'bell',
  assigned: 'user',
  unassigned: 'user',
  snoozed: 'clock-nine',
  unsnoozed: 'bell',
  woken: 'bell',
  silenced: 'bell-slash',
  unsilenced: 'bell',
  suppressed: 'bell-slash',
  released: 'bell',
};

/** Text of an entry; empty: none. The first line of a silence is its end. */
const wordsOf = ({ kind, text = '' }: Activity): string =>
  kind === 'silenced'
    ? text.split('\n').slice(1).join('\n')
    : kind === 'comment' || kind === 'acknowledged'
      ? text
      : '';

interface Named {
  name: string;
  text: string;
  /** The moment that the first line of the text gives. */
  time: string;
}

const SUPPRESSED: Record<Suppressor, (reason: string) => string> = {
  silence: (reason) => t('inbox.activity.silence', 'Not sent, silenced: {{reason}}', { reason }),
  maintenance: (reason) => t('inbox.activity.maintenance', 'Not sent, maintenance: {{reason}}', { reason }),
  inhibition: (reason) => t('inbox.activity.inhibition', 'Not sent, inhibited by: {{reason}}', { reason }),
};
const suppressorOf = (text: string): Suppressor => SUPPRESSORS.find((name) => text.startsWith(`${name} `)) ?? 'silence';

const LABELS: Record<Activity['kind'], (named: Named) => string> = {
  comment: ({ name }) => name,
  acknowledged: ({ name }) => t('inbox.activity.acknowledged', '{{name}} acknowledged it', { name }),
  unacknowledged: ({ name }) => t('inbox.activity.unacknowledged', '{{name}} removed the acknowledgement', { name }),
  ended: () => t('inbox.activity.ended', 'The acknowledgement ended'),
  assigned: ({ name, text: to }) => t('inbox.activity.assigned', '{{name}} assigned it to {{to}}', { name, to }),
  unassigned: ({ name }) => t('inbox.activity.unassigned', '{{name}} unassigned it', { name }),
  snoozed: ({ name, time }) =>
    t('inbox.activity.snoozed', '{{name}} snoozed it for everyone until {{time}}', { name, time }),
  unsnoozed: ({ name }) => t('inbox.activity.unsnoozed', '{{name}} ended the snooze', { name }),
  woken: () => t('inbox.activity.woken', 'The snooze ended'),
  silenced: ({ name, time }) =>
    t('inbox.activity.silenced', '{{name}} silenced it at its source until {{time}}', { name, time }),
  unsilenced: ({ name }) => t('inbox.activity.unsilenced', '{{name}} ended the silence', { name }),
  suppressed: ({ text: reason }) => SUPPRESSED[suppressorOf(reason)](reason.replace(/^\S+ /, '')),
  released: () => t('inbox.activity.released', 'No longer suppressed'),
};

function activityLabel({ kind, by, text = '' }: Activity, now: number): string {
  const name = by === '' ? t('inbox.activity.script', 'A script') : by;
  const time = kind === 'snoozed' || kind === 'silenced' ? momentLabel(text.split('\n', 1)[0]!, now) : '';
  return LABELS[kind]({ name, text, time });
}

/** Plain text, with links. */
export function CommentText({ text }: { text: string }) {
  const styles = useStyles2(getStyles);
  return (
    <p className={styles.text} dir="auto">
      {splitLinks(text).map(({ text: part, href }, index) =>
        href === undefined ? (
          <Fragment key={index}>{part}</Fragment>
        ) : (
          <TextLink key={index} href={href} external inline>
            {part}
          </TextLink>
        )
      )}
    </p>
  );
}

function EditComment({ activity, onClose }: { activity: Activity; onClose: () => void }) {
  const { edit } = useComments();
  const styles = useStyles2(getStyles);
  const [text, setText] = useState(activity.text ?? '');
  return (
    <div className={styles.edit}>
      <TextArea
        aria-label={t('inbox.activity.edit', 'Edit comment')}
        autoFocus
        rows={2}
        maxLength={LIMITS.commentBytes.value}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div className={styles.line}>
        <PendingButton
          size="sm"
          pending={edit.isPending}
          disabled={text.trim() === ''}
          onClick={() => edit.mutate({ comment: activity.id, text: text.trim() }, { onSuccess: onClose })}
        >
          {t('inbox.activity.save', 'Save')}
        </PendingButton>
        <SmallButton fill="outline" onClick={onClose}>
          {t('inbox.activity.cancel', 'Cancel')}
        </SmallButton>
      </div>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  content: css({ minWidth: 0, paddingInline: theme.spacing(1) }),
  line: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(1),
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
  }),
  label: css({
    fontWeight: theme.typography.fontWeightMedium,
    color: theme.colors.text.primary,
    overflowWrap: 'anywhere',
  }),
  text: css({ margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }),
  edit: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1), paddingTop: theme.spacing(0.5) }),
});
