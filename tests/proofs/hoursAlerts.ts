/** The alerts of a monitor, as a part of the load of a busy node. */
import { MINUTE, PACKAGES, type Shared, words } from './hoursParts.ts';

/** Each fires for so many minutes, and is resolved for so many: no part of an hour, in which regular work would always meet the same ones. */
const ALERTS = 60;
const FIRING = 7;
const RESOLVED = 6;

/** Alerts fire one after another, are repeated each minute, and resolve. */
export function monitor({ call, count, every, clock }: Shared): Promise<void> {
  const startsAt = Array<string>(ALERTS).fill('');
  const endsAt = Array<string>(ALERTS).fill('');
  return every(MINUTE, async (turn) => {
    const now = new Date(clock()).toISOString();
    let changed = 0;
    const alerts = Array.from({ length: ALERTS }, (_, index) => {
      const phase = (turn + index) % (FIRING + RESOLVED);
      if (phase === 0 || startsAt[index] === '') {
        [startsAt[index], endsAt[index]] = [now, ''];
        changed += 1;
      } else if (phase === FIRING) {
        endsAt[index] = now;
        changed += 1;
      }
      return {
        status: endsAt[index] === '' ? 'firing' : 'resolved',
        labels: {
          alertname: `Alert ${index}`,
          severity: 'warning',
          dnpName: `package-${index % PACKAGES}.example.eth`,
        },
        annotations: { summary: words(index, 5), description: words(index, 40) },
        startsAt: startsAt[index],
        endsAt: endsAt[index] || '0001-01-01T00:00:00Z',
        fingerprint: `${index}`,
      };
    });
    const body = { version: '4', status: 'firing', receiver: 'nodebell', alerts };
    await call('POST', '/api/v1/webhooks/alertmanager', { body });
    count('webhooks');
    count('notifications', changed);
    count('repeats', ALERTS - changed);
  });
}
