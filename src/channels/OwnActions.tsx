import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ChannelStatus } from '@nodebell/contract/channel.ts';
import { changeChannel, channelsQuery, removeChannel } from '../api/channels';
import { DeleteButton } from '../components/DeleteButton';
import { notificationCount } from '../components/messages';
import { t } from '../i18n/t';
import { bodyOf } from './draft';
import { SmallButton } from '../components/SmallButton';

/** Actions on a channel of the page. */
export function OwnActions({ channel, onEdit }: { channel: ChannelStatus; onEdit: () => void }) {
  const { name, disabled } = channel;
  const toggle = useMutation({
    mutationFn: () => changeChannel(name, bodyOf(channel, !disabled)),
    meta: { failure: t('channels.row.not-changed', 'Could not change the channel'), rereads: [channelsQuery.queryKey] },
  });
  return (
    <>
      <SmallButton aria-label={t('channels.row.edit-what', 'Edit {{name}}', { name })} onClick={onEdit}>
        {t('channels.row.edit', 'Edit')}
      </SmallButton>
      <SmallButton
        pending={toggle.isPending}
        aria-label={
          disabled
            ? t('channels.row.enable-what', 'Enable {{name}}', { name })
            : t('channels.row.disable-what', 'Disable {{name}}', { name })
        }
        onClick={() => toggle.mutate()}
      >
        {disabled ? t('channels.row.enable', 'Enable') : t('channels.row.disable', 'Disable')}
      </SmallButton>
      <Delete channel={channel} />
    </>
  );
}

function Delete({ channel: { name, waiting, held, undelivered } }: { channel: ChannelStatus }) {
  const client = useQueryClient();
  const removing = useMutation({
    mutationFn: () => removeChannel(name),
    meta: { failure: t('channels.row.not-deleted', 'Could not delete the channel') },
    onSuccess: () => client.invalidateQueries(),
  });
  const lost = waiting + held + undelivered;
  const text =
    lost === 0
      ? t('channels.row.delete-text', 'Its routes are deleted as well.')
      : t(
          'channels.row.delete-waiting',
          'Its routes are deleted as well. Not sent any more: {{lost}}. They stay in the inbox.',
          { lost: notificationCount(lost) }
        );
  return (
    <DeleteButton
      name={name}
      title={t('channels.row.delete-title', 'Delete the channel “{{name}}”?', { name })}
      body={text}
      onDelete={(options) => removing.mutate(undefined, options)}
    />
  );
}
