import type { BridgeStatus } from '@nodebell/contract/status.ts';
import { t } from '../i18n/t';
import { duration } from '../components/time';
import { absoluteTime } from '../components/moments';
import { Facts } from './Facts';
import { storeMessages } from './storeMessages';

const AUTH_LABELS: Record<BridgeStatus['auth'], () => string> = {
  'sender-open': () => t('config.health.auth-sender-open', 'Senders: none. Other requests: admin token'),
  token: () => t('config.health.auth-token', 'Senders: sender token. Other requests: admin token'),
  none: () => t('config.health.auth-none', 'Disabled'),
};

const storeLabel = (status: BridgeStatus): string => {
  const system = status.database === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  return `${system}: ${status.storeWritable ? t('config.health.store-ok', 'OK') : storeMessages(status).short}`;
};

function replicaLabel({ replica, time }: BridgeStatus): string | undefined {
  const leader = replica?.leader;
  if (replica === undefined) {
    return undefined;
  }
  if (leader === undefined) {
    return t('config.health.no-leader', 'No leader: nodes, monitors and provisioning wait');
  }
  const age = duration(Date.parse(time) - Date.parse(leader.since));
  return replica.leads
    ? t('config.health.leads', 'Leader for {{age}} ({{name}})', { age, name: leader.name })
    : t('config.health.follows', 'Follower. Leader for {{age}}: {{name}}', { age, name: leader.name });
}

const lastReceivedLabel = (timestamp: string | null | undefined): string =>
  timestamp ? absoluteTime(timestamp) : t('config.health.nothing-received', 'No notifications received yet');

const signatureLabel = (secret: boolean): string =>
  secret
    ? t('config.health.signed-required', 'Required')
    : t('config.health.signed-not-required', 'Not required: NODEBELL_WEBHOOK_SECRET is not set');

/** Health of the bridge, from its last response. */
export function Health({ status }: { status: BridgeStatus }) {
  const since = Date.parse(status.time) - Date.parse(status.startedAt);
  const browsers = t('config.health.browsers', '', {
    count: status.pages,
    defaultValue_one: '{{count, number}} browser',
    defaultValue_other: '{{count, number}} browsers',
  });
  const replica = replicaLabel(status);
  const facts: Array<[string, string]> = [
    [t('config.health.version', 'Version'), status.version],
    [t('config.health.uptime', 'Uptime'), duration(since)],
    [t('config.health.store', 'Database'), storeLabel(status)],
    ...(replica === undefined ? [] : [[t('config.health.replica', 'Replica'), replica] as [string, string]]),
    [t('config.health.last-received', 'Last received'), lastReceivedLabel(status.lastReceivedAt)],
    [t('config.health.connections', 'Live connections'), browsers],
    [t('config.health.access', 'Authentication'), AUTH_LABELS[status.auth]()],
    [t('config.health.signed', 'Alert signatures'), signatureLabel(status.webhookSecret)],
  ];
  return <Facts facts={facts} />;
}
