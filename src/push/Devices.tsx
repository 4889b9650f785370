import { Alert, Stack } from '@grafana/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NewDevice } from '@nodebell/contract/push.ts';
import Skeleton from 'react-loading-skeleton';
import { addDevice, devicesKey, devicesQuery } from '../api/push';
import { may, mayConfigure } from '../api/permissions';
import { t } from '../i18n/t';
import { DeviceRow } from './DeviceRow';
import { deviceName } from './deviceName';
import { OwnQuietHours } from './OwnQuietHours';
import { type Obstacle, obstacle, ownSubscription, subscribe } from './subscription';
import { List } from '../components/List';
import { SecondaryText } from '../components/SecondaryText';
import { Failure } from '../components/Failure';
import { PendingButton } from '../components/PendingButton';

const ownKey = ['push-subscription'];

/** The user's own devices, and a button that adds this browser to them. */
export function Devices() {
  return (
    <Stack direction="column" gap={2}>
      <OwnDevices />
    </Stack>
  );
}

function OwnDevices() {
  const allowed = may('push:own');
  const { data, error } = useQuery({ ...devicesQuery(), enabled: allowed });
  const own = useQuery({ queryKey: ownKey, queryFn: ownSubscription, retry: false });
  if (!allowed) {
    return (
      <SecondaryText>
        {t('push.sign-in', 'Sign in to Grafana to receive notifications on your own devices.')}
      </SecondaryText>
    );
  }
  if (error) {
    return <Failure title={t('push.failed', 'Could not load your devices')} error={error} />;
  }
  if (!data || own.isPending) {
    return <Skeleton count={2} height={32} />;
  }
  const { publicKey, devices } = data;
  if (publicKey === null) {
    return (
      <SecondaryText>
        {mayConfigure()
          ? t('push.not-configured', 'Add a channel of type webpush, and each user can subscribe here.')
          : t(
              'push.not-configured-ask',
              'Web push is not configured. Ask an administrator to add a channel of type webpush.'
            )}
      </SecondaryText>
    );
  }
  const isListed = devices.some(({ fingerprint }) => fingerprint === own.data?.fingerprint);
  const isReplaced = own.data != null && own.data.key !== publicKey;
  return (
    <>
      {(!isListed || obstacle() !== undefined) && <AddThisDevice publicKey={publicKey} isReplaced={isReplaced} />}
      {devices.length > 0 && (
        <List gap={1} aria-label={t('push.devices', 'Your devices')}>
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} isThis={device.fingerprint === own.data?.fingerprint} />
          ))}
        </List>
      )}
      <OwnQuietHours />
    </>
  );
}

function AddThisDevice({ publicKey, isReplaced }: { publicKey: string; isReplaced: boolean }) {
  const client = useQueryClient();
  const adding = useMutation({
    meta: { quiet: true },
    mutationFn: async () => {
      const subscription = await subscribe(publicKey);
      if (subscription) {
        const { endpoint, keys } = subscription.toJSON() as Pick<NewDevice, 'endpoint' | 'keys'>;
        await addDevice({ endpoint, keys, key: publicKey, name: deviceName(navigator) });
      }
      await Promise.all([devicesKey, ownKey].map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
  const reason = obstacle();
  if (reason) {
    return (
      <Alert severity="info" title={t('push.cannot', 'This browser cannot receive notifications')}>
        {OBSTACLE_TEXTS[reason]()}
      </Alert>
    );
  }
  return (
    <div>
      {isReplaced && (
        <Alert severity="warning" title={t('push.replaced', 'This device no longer receives notifications')}>
          {t('push.replaced-text', 'An administrator has replaced the keys of web push: subscribe again.')}
        </Alert>
      )}
      <SecondaryText element="p">
        {t(
          'push.explanation',
          'Your browser asks whether Grafana may show notifications. They then appear on this device even when Grafana is closed, encrypted on the way. You can remove the device at any time.'
        )}
      </SecondaryText>
      {adding.error && (
        <Alert severity="error" title={t('push.not-added', 'Could not subscribe this device')}>
          {adding.error instanceof DOMException
            ? t('push.refused', 'The browser refused: {{reason}}. Private windows cannot receive notifications.', {
                reason: adding.error.message.replace(/\.$/, ''),
              })
            : adding.error.message}
        </Alert>
      )}
      <PendingButton icon="bell" pending={adding.isPending} onClick={() => adding.mutate()}>
        {adding.isPending ? t('push.adding', 'Waiting for the browser') : t('push.add', 'Notify me on this device')}
      </PendingButton>
    </div>
  );
}

const OBSTACLE_TEXTS: Record<Obstacle, () => string> = {
  insecure: () =>
    t('push.insecure', 'Grafana was opened over plain HTTP. Browsers allow this over HTTPS or on localhost only.'),
  ios: () =>
    t('push.ios', 'On iPhone and iPad, add Grafana to the Home Screen (iOS 16.4 or later) and open it from there.'),
  unsupported: () =>
    t(
      'push.unsupported',
      'It does not support web push, or service workers are turned off, as in some private windows.'
    ),
  blocked: () =>
    t(
      'push.blocked',
      'Notifications of this site are blocked. Allow them in the site settings of the browser, then reload the page.'
    ),
};
