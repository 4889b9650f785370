import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, TextArea, useStyles2 } from '@grafana/ui';
import { type RefObject, useState } from 'react';
import { LIMITS } from '@nodebell/contract/limits.ts';
import type { NotificationDetail } from '@nodebell/contract/notification.ts';
import { may } from '../../api/permissions';
import { t } from '../../i18n/t';
import { AssignButton, SnoozeButton } from '../RespondMenus';
import { chosenOf, type Respond } from '../useRespond';

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
      {may('inbox:seen') && (
        <SnoozeButton
          disabled={disabled}
          own={detail.thread.unread !== undefined}
          snoozed={detail.thread.snoozed?.for}
          onSnooze={(until, whose) => respond.snooze({ of: chosenOf(detail), until, whose })}
        />
      )}
      {mayWrite && (
        <AssignButton
          disabled={disabled}
          assignee={detail.thread.assignee}
          onAssign={(assignee) => respond.assign({ of: chosenOf(detail), assignee })}
        />
      )}
    </>
  );
}

function AcknowledgeButton({ detail, disabled, respond }: Props) {
  const acknowledged = detail.thread.acknowledged !== undefined;
  const change = () => respond.acknowledge({ of: chosenOf(detail), acknowledged: !acknowledged });
  return (
    <Button
      variant="secondary"
      icon={acknowledged ? 'times' : 'check'}
      disabled={disabled}
      onClick={change}
      tooltip={
        acknowledged
          ? undefined
          : t(
              'inbox.respond.acknowledge-text',
              'No further notifications until the priority rises, or until it fires again after it resolved.'
            )
      }
    >
      {acknowledged
        ? t('inbox.respond.unacknowledge', 'Remove acknowledgement')
        : t('inbox.respond.acknowledge', 'Acknowledge')}
    </Button>
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
  const [sending, setSending] = useState(false);
  const empty = disabled || sending || text.trim() === '';
  const label = t('inbox.respond.comment-label', 'Add a comment');
  /** Keeps the text if it fails, and what was typed meanwhile. */
  const send = async (how: (text: string) => Promise<unknown>) => {
    setSending(true);
    try {
      await how(text.trim());
      setText((now) => (now === text ? '' : now));
    } catch {
      // A message says why.
    }
    setSending(false);
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
        <Button
          size="sm"
          variant="secondary"
          disabled={empty}
          onClick={() => void send((comment) => respond.comment({ id: detail.id, text: comment }))}
        >
          {t('inbox.respond.comment', 'Comment')}
        </Button>
        {!detail.thread.acknowledged && (
          <Button
            size="sm"
            variant="secondary"
            fill="outline"
            disabled={empty}
            onClick={() =>
              void send((comment) => respond.acknowledgeWith({ of: chosenOf(detail), acknowledged: true, comment }))
            }
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
