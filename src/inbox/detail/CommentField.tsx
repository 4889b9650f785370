import { Stack, TextArea } from '@grafana/ui';
import { useState } from 'react';
import { LIMITS } from '@nodebell/contract/limits.ts';
import type { NotificationDetail } from '@nodebell/contract/notification.ts';
import { t } from '../../i18n/t';
import { type Run, threadOf } from '../actions';
import { useComments } from './useComments';
import { SmallButton } from '../../components/SmallButton';

interface Props {
  detail: NotificationDetail;
  disabled: boolean;
  runAsync: Run<Promise<unknown>>;
}

/** A field for a comment, which can be the reason of an acknowledgement. */
export function CommentField({ detail, disabled, runAsync }: Props) {
  const { add } = useComments();
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
    <Stack direction="column" maxWidth="720px">
      <TextArea
        aria-label={label}
        placeholder={label}
        rows={2}
        maxLength={LIMITS.commentBytes.value}
        value={text}
        disabled={disabled}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Stack wrap="wrap">
        <SmallButton disabled={empty} onClick={() => void send((comment) => add({ id: detail.id, text: comment }))}>
          {t('inbox.respond.comment', 'Comment')}
        </SmallButton>
        {!detail.thread.acknowledged && (
          <SmallButton
            fill="outline"
            disabled={empty}
            onClick={() => void send((comment) => runAsync('acknowledge', threadOf(detail), { comment }))}
          >
            {t('inbox.respond.acknowledge-with', 'Acknowledge with this comment')}
          </SmallButton>
        )}
      </Stack>
    </Stack>
  );
}
