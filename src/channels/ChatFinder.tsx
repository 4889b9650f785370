import { Alert, Box, Stack, TextLink } from '@grafana/ui';
import { useMutation } from '@tanstack/react-query';
import type { ChatList } from '@nodebell/contract/channelChange.ts';
import { findChats } from '../api/channels';
import { explain } from '../api/queryClient';
import { t } from '../i18n/t';
import type { Draft } from './draft';
import { SmallButton } from '../components/SmallButton';

interface Props {
  draft: Draft;
  onChoose: (chat: string) => void;
}

/** Finds the chats of a bot: those that have written to it. */
export function ChatFinder({ draft, onChoose }: Props) {
  const { name, values, kept } = draft;
  const token = values.token?.trim() ?? '';
  const url = values.url?.trim() ?? '';
  const isStored = kept.includes('token');
  const find = useMutation({
    mutationFn: () => findChats({ ...(isStored ? { name } : { token }), ...(url !== '' && { url }) }),
    meta: { quiet: true },
  });
  const reason = find.error ? explain(find.error) : find.data?.reason;
  return (
    <Box display="flex" direction="column" alignItems="flex-start" gap={1} marginTop={1}>
      <SmallButton
        icon="search"
        pending={find.isPending}
        disabled={token === '' && !isStored}
        onClick={() => find.mutate()}
      >
        {find.isPending ? t('channels.chats.searching', 'Searching…') : t('channels.chats.find', 'Find chats')}
      </SmallButton>
      {reason !== undefined && (
        <Alert severity="error" title={t('channels.chats.failed', 'Could not read the chats of the bot')}>
          {reason}
        </Alert>
      )}
      {find.data && reason === undefined && <Found found={find.data} onChoose={onChoose} />}
    </Box>
  );
}

function Found({ found: { bot, chats }, onChoose }: { found: ChatList; onChoose: Props['onChoose'] }) {
  return (
    <div role="status">
      <Stack wrap alignItems="center">
        <span>
          {chats.length === 0
            ? t('channels.chats.none', 'No chat yet. Send /start to the bot, or add it to a group, and search again.')
            : t('channels.chats.choose', 'Choose the chat:')}{' '}
          {bot !== null && chats.length === 0 && (
            <TextLink href={`https://t.me/${bot}`} external inline>
              {`@${bot}`}
            </TextLink>
          )}
        </span>
        {chats.map(({ id, title, kind }) => (
          <SmallButton key={id} onClick={() => onChoose(id)}>
            {kind === 'private' ? title : t('channels.chats.group', '{{title}} (group)', { title })}
          </SmallButton>
        ))}
      </Stack>
    </div>
  );
}
