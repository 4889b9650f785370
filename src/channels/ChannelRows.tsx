import { Input } from '@grafana/ui';
import type { ChannelStatus } from '@nodebell/contract/channel.ts';
import { useState } from 'react';
import { List } from '../components/List';
import { More } from '../components/More';
import { NoMatch } from '../components/NoMatch';
import { useNow } from '../components/timers';
import { t } from '../i18n/t';
import { ChannelRow } from './ChannelRow';

/** Rows rendered at first, and added each time the end of the list is near. */
const BATCH = 30;
/** Fewer need no search. */
const SEARCHED = 10;

interface Props {
  channels: readonly ChannelStatus[];
  onEdit: (name: string) => void;
  onUndelivered: () => void;
}

export function ChannelRows({ channels, onEdit, onUndelivered }: Props) {
  const now = useNow();
  const [q, setQ] = useState('');
  const [limit, setLimit] = useState(BATCH);
  const text = q.trim().toLowerCase();
  const found = channels.filter(({ name, type, target }) => `${name} ${type} ${target}`.toLowerCase().includes(text));
  const more = found.length - limit;
  return (
    <>
      {channels.length > SEARCHED && (
        <Input
          aria-label={t('channels.list.search', 'Search channels')}
          placeholder={t('channels.list.search', 'Search channels')}
          value={q}
          onChange={({ currentTarget }) => setQ(currentTarget.value)}
        />
      )}
      {found.length === 0 && (
        <NoMatch message={t('channels.list.no-match', 'No channels found')} onClear={() => setQ('')} />
      )}
      <List divided>
        {found.slice(0, limit).map((channel) => (
          <ChannelRow
            key={channel.name}
            channel={channel}
            now={now}
            onEdit={() => onEdit(channel.name)}
            onUndelivered={onUndelivered}
          />
        ))}
      </List>
      {more > 0 && (
        <More
          key={limit}
          label={t('channels.list.more', '', {
            count: more,
            defaultValue_one: 'Show {{count, number}} more channel',
            defaultValue_other: 'Show {{count, number}} more channels',
          })}
          onMore={() => setLimit(limit + BATCH)}
        />
      )}
    </>
  );
}
