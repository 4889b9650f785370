import { Badge, Box, IconButton, Input, Stack, Text } from '@grafana/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Device } from '@nodebell/contract/push.ts';
import { LIMITS } from '@nodebell/contract/limits.ts';
import { useState } from 'react';
import { devicesKey, removeDevice, renameDevice, testDevice } from '../api/push';
import { absoluteTime } from '../components/moments';
import { t } from '../i18n/t';
import { ownSubscription } from './subscription';
import { SecondaryText } from '../components/SecondaryText';

export function DeviceRow({ device, isThis }: { device: Device; isThis: boolean }) {
  const [editing, setEditing] = useState(false);
  const { test, rename, remove } = useDevice(device, isThis);
  const { name } = device;
  const error = rename.error ?? remove.error ?? test.error;
  return (
    <Box element="li" display="flex" alignItems="center" gap={1}>
      <Stack direction="column" gap={0} flex={1} minWidth={0}>
        {editing ? (
          <NameInput
            name={name}
            onDone={(wanted) => {
              setEditing(false);
              if (wanted !== '' && wanted !== name) {
                rename.mutate(wanted);
              }
            }}
          />
        ) : (
          <Stack wrap alignItems="center">
            <Text weight="medium">{rename.isPending ? rename.variables : name}</Text>
            {isThis && <Badge text={t('push.this', 'This device')} color="blue" />}
          </Stack>
        )}
        <SecondaryText>{stateText(device)}</SecondaryText>
        <Result failure={test.data?.reason ?? error?.message} delivered={test.data?.delivered === true} />
      </Stack>
      <IconButton
        name="message"
        tooltip={t('push.test', 'Send a test to {{name}}', { name })}
        disabled={test.isPending}
        onClick={() => test.mutate()}
      />
      <IconButton name="pen" tooltip={t('push.rename', 'Rename {{name}}', { name })} onClick={() => setEditing(true)} />
      <IconButton
        name="trash-alt"
        tooltip={t('push.remove', 'Remove {{name}}', { name })}
        disabled={remove.isPending}
        onClick={() => remove.mutate()}
      />
    </Box>
  );
}

function useDevice({ id }: Device, isThis: boolean) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: devicesKey });
  // The row shows errors.
  const meta = { quiet: true };
  return {
    test: useMutation({ mutationFn: () => testDevice(id), meta }),
    rename: useMutation({ mutationFn: (name: string) => renameDevice(id, name), onSuccess, meta }),
    remove: useMutation({
      meta,
      async mutationFn() {
        await removeDevice(id);
        if (isThis) {
          await (await ownSubscription())?.subscription.unsubscribe();
        }
      },
      onSuccess,
    }),
  };
}

/** @param onDone with the new name; with the old one after Escape */
function NameInput({ name, onDone }: { name: string; onDone: (wanted: string) => void }) {
  const [draft, setDraft] = useState(name);
  return (
    <Input
      aria-label={t('push.name', 'Name')}
      autoFocus
      maxLength={LIMITS.pushDeviceName.value}
      value={draft}
      onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      onBlur={() => onDone(draft.trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          onDone(draft.trim());
        } else if (event.key === 'Escape') {
          // Otherwise the dialog closes.
          event.stopPropagation();
          onDone(name);
        }
      }}
    />
  );
}

const Result = ({ failure, delivered }: { failure: string | undefined; delivered: boolean }) => (
  <span role="status">
    {failure !== undefined && (
      <Text color="error" variant="bodySmall">
        {failure}
      </Text>
    )}
    {delivered && failure === undefined && (
      <Text color="success" variant="bodySmall">
        {t('push.tested', 'Test sent')}
      </Text>
    )}
  </span>
);

function stateText({ lastDeliveredAt, lastFailure, createdAt }: Device): string {
  if (lastFailure !== null) {
    return t('push.failing', 'Not delivered: {{reason}}', { reason: lastFailure });
  }
  return lastDeliveredAt === null
    ? t('push.added-at', 'Added {{date}}', { date: absoluteTime(createdAt) })
    : t('push.used-at', 'Last notification {{date}}', { date: absoluteTime(lastDeliveredAt) });
}
