/** People who respond to threads. */
import { beforeEach } from 'vitest';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import { GrafanaPerson } from './readers.testing.ts';
import { useBridge } from './support.ts';

/** For each file of tests: its bridge, empty before each test, and two editors, a viewer and an admin. */
export function useResponders() {
  const bridge = useBridge();
  const anna = new GrafanaPerson(bridge, 'anna');
  const bert = new GrafanaPerson(bridge, 'bert');
  const viewer = new GrafanaPerson(bridge, 'vera', { OrgRole: 'Viewer' });
  const admin = new GrafanaPerson(bridge, 'ada', { OrgRole: 'Admin' });

  beforeEach(async () => {
    await bridge().clear();
    await Promise.all([anna.unread(), bert.unread(), viewer.unread()]);
  });

  const fire = (more: Record<string, unknown> = {}) =>
    bridge().send({ correlationId: 'disk', dnpName: 'dms', status: 'triggered', priority: 'high', ...more });
  const detail = (who: GrafanaPerson, id: number) => who.call<NotificationDetail>('GET', `/${id}`);
  const kinds = async (who: GrafanaPerson, id: number) => (await detail(who, id)).timeline?.map(({ kind }) => kind);
  const status = async (who: GrafanaPerson, method: string, path: string, body?: unknown): Promise<number> =>
    (await bridge().request(method, path, body, who.headers)).status;

  const until = (ms: number) => new Date(bridge().clock.now + ms).toISOString();

  return { bridge, anna, bert, viewer, admin, fire, detail, kinds, status, until };
}
