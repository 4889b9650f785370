import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Badge, IconButton, Input, Text, useStyles2 } from '@grafana/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Device } from '@nodebell/contract/push.ts';
import { LIMITS } from '@nodebell/contract/limits.ts';
import { useState } from 'react';
import { devicesKey, removeDevice, renameDevice, testDevice } from '../api/push';
import { absoluteTime } from '../components/moments';
import { t } from '../i18n/t';
import { ownSubscription } from './subscription';

export function DeviceRow({ device, isThis }: { device: Device; isThis: boolean }) {
  const styles = useStyles2(getStyles);
  const client = useQueryClient();
  const [draft, setDraft] = useState<string>();
  const reload = () => client.invalidateQueries({ queryKey: devicesKey });
  const test = useMutation({ mutationFn: () => testDevice(device.id) });
  const rename = useMutation({
    mutationFn: (name: string) => renameDevice(device.id, name),
    onSuccess: reload,
  });
  const remove = useMutation({
    async mutationFn() {
      await removeDevice(device.id);
      if (isThis) {
        await (await ownSubscription())?.subscription.unsubscribe();
      }
    },
    onSuccess: reload,
  });
  const { name } = device;
  const save = () => {
    const wanted = draft?.trim();
    setDraft(undefined);
    if (wanted && wanted !== name) {
      rename.mutate(wanted);
    }
  };
  const error = rename.error ?? remove.error ?? test.error;
  const failure = test.data?.delivered === false ? test.data.reason : error?.message;
  return (
    <li className={styles.row}>
      <div className={styles.label}>
        {draft === undefined ? (
          <span className={styles.name}>
            <Text weight="medium">{rename.isPending ? rename.variables : name}</Text>
            {isThis && <Badge text={t('push.this', 'This device')} color="blue" />}
          </span>
        ) : (
          <Input
            aria-label={t('push.name', 'Name')}
            autoFocus
            maxLength={LIMITS.pushDeviceName.value}
            value={draft}
            onChange={({ currentTarget }) => setDraft(currentTarget.value)}
            onBlur={save}
            onKeyDown={({ key }) => (key === 'Enter' ? save() : key === 'Escape' && setDraft(undefined))}
          />
        )}
        <Text color="secondary" variant="bodySmall">
          {stateText(device)}
        </Text>
        <span role="status">
          {failure !== undefined && (
            <Text color="error" variant="bodySmall">
              {failure}
            </Text>
          )}
          {test.data?.delivered && (
            <Text color="success" variant="bodySmall">
              {t('push.tested', 'Test sent')}
            </Text>
          )}
        </span>
      </div>
      <IconButton
        name="message"
        tooltip={t('push.test', 'Send a test to {{name}}', { name })}
        disabled={test.isPending}
        onClick={() => test.mutate()}
      />
      <IconButton name="pen" tooltip={t('push.rename', 'Rename {{name}}', { name })} onClick={() => setDraft(name)} />
      <IconButton
        name="trash-alt"
        tooltip={t('push.remove', 'Remove {{name}}', { name })}
        disabled={remove.isPending}
        onClick={() => remove.mutate()}
      />
    </li>
  );
}

function stateText({ lastDeliveredAt, lastFailure, createdAt }: Device): string {
  if (lastFailure !== null) {
    return t('push.failing', 'Not delivered: {{reason}}', { reason: lastFailure });
  }
  return lastDeliveredAt === null
    ? t('push.added-at', 'Added {{date}}', { date: absoluteTime(createdAt) })
    : t('push.used-at', 'Last notification {{date}}', { date: absoluteTime(lastDeliveredAt) });
}

const getStyles = (theme: GrafanaTheme2) => ({
  row: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(1) }),
  label: css({ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column', overflowWrap: 'anywhere' }),
  name: css({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(1) }),
});
