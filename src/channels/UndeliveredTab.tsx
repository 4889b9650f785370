import { css } from '@emotion/css';
import { ConfirmModal, EmptyState, LoadingPlaceholder, Stack, Text, TextLink } from '@grafana/ui';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { Undelivered } from '@nodebell/contract/channel.ts';
import { useEffect, useRef, useState } from 'react';
import { channelsQuery, discard, discardAll, resend, resendAll, undeliveredQuery } from '../api/channels';
import { List } from '../components/List';
import { More } from '../components/More';
import { dateAndTime } from '../components/moments';
import { SecondaryText } from '../components/SecondaryText';
import { t } from '../i18n/t';
import { pathTo } from '../routes';
import { SmallButton } from '../components/SmallButton';
import { Failure } from '../components/Failure';

type Entry = Undelivered['undelivered'][number];

/** Notifications that were given up, newest first. @param count of all channels: another one means that the list has changed */
export function UndeliveredTab({ count }: { count: number }) {
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(undeliveredQuery);
  const listed = useRef(count);
  useEffect(() => {
    if (listed.current !== count) {
      listed.current = count;
      void refetch();
    }
  }, [count, refetch]);
  const entries = data?.pages.flatMap(({ undelivered }) => undelivered);
  const failure = (
    <Failure
      title={t('channels.undelivered.not-loaded', 'Could not load the list')}
      error={error}
      onRetry={() => void refetch()}
    />
  );
  if (!entries && error) {
    return failure;
  }
  if (!entries) {
    return <LoadingPlaceholder text={t('channels.undelivered.loading', 'Loading undelivered notifications…')} />;
  }
  if (entries.length === 0) {
    return (
      <EmptyState variant="completed" hideImage message={t('channels.undelivered.empty', 'Everything was delivered')} />
    );
  }
  return (
    <Stack direction="column">
      {failure}
      <All />
      <List divided>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </List>
      {hasNextPage && (
        <More
          key={entries.length}
          label={t('channels.undelivered.more', 'Show older')}
          onMore={() => void fetchNextPage()}
        />
      )}
    </Stack>
  );
}

/** A change of the list, which is read again. */
function useChange<A = void>(run: (argument: A) => Promise<unknown>) {
  return useMutation({ mutationFn: run, meta: { rereads: [undeliveredQuery.queryKey, channelsQuery.queryKey] } });
}

function All() {
  const [asking, setAsking] = useState(false);
  const sending = useChange(resendAll);
  const discarding = useChange(discardAll);
  return (
    <Stack wrap>
      <SmallButton pending={sending.isPending} onClick={() => sending.mutate()}>
        {t('channels.undelivered.send-all', 'Send all again')}
      </SmallButton>
      <SmallButton onClick={() => setAsking(true)}>{t('channels.undelivered.discard-all', 'Discard all')}</SmallButton>
      <ConfirmModal
        isOpen={asking}
        title={t('channels.undelivered.discard-title', 'Discard all undelivered notifications?')}
        body={t('channels.undelivered.discard-text', 'They are not sent any more. They stay in the inbox.')}
        confirmText={t('channels.undelivered.discard-all', 'Discard all')}
        onConfirm={() => {
          setAsking(false);
          discarding.mutate();
        }}
        onDismiss={() => setAsking(false)}
      />
    </Stack>
  );
}

function Row({ entry: { id, title, channel, reason, at, notification } }: { entry: Entry }) {
  const sending = useChange(() => resend(id));
  const discarding = useChange(() => discard(id));
  const name = title ?? t('channels.undelivered.removed', 'Removed notification');
  const busy = sending.isPending || discarding.isPending;
  return (
    <li>
      <Stack wrap alignItems="flex-start">
        <div className={words}>
          {title === null ? name : <TextLink href={pathTo.notification(notification)}>{name}</TextLink>}
          <SecondaryText element="p">{[channel, ...(at === null ? [] : [dateAndTime(at)])].join(' · ')}</SecondaryText>
          {reason !== null && (
            <Text element="p" variant="bodySmall" color="error">
              {reason}
            </Text>
          )}
        </div>
        <Stack wrap>
          <SmallButton
            pending={busy}
            aria-label={t('channels.undelivered.send-what', 'Send again: {{name}}', { name })}
            onClick={() => sending.mutate()}
          >
            {t('channels.undelivered.send', 'Send again')}
          </SmallButton>
          <SmallButton
            pending={busy}
            aria-label={t('channels.undelivered.discard-what', 'Discard: {{name}}', { name })}
            onClick={() => discarding.mutate()}
          >
            {t('channels.undelivered.discard', 'Discard')}
          </SmallButton>
        </Stack>
      </Stack>
    </li>
  );
}

const words = css({ flex: '1 1 260px', minWidth: 0, overflowWrap: 'anywhere' });
