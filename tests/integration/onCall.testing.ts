/** A bridge with schedules, people and a hook for each. */
import { expect, vi } from 'vitest';
import type { Delivery } from '../../backend-bridge/contract/delivery.ts';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import { type Receiver, startHook } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { closing } from './channelsPage.testing.ts';
import { Folder, type Provisioned } from './provisioning.testing.ts';

export const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 20 });
const ALERT = { correlationId: 'db', dnpName: 'postgres', title: 'Database down', priority: 'high' };
export const FIRES = { ...ALERT, status: 'triggered' };
export const RESOLVES = { ...ALERT, status: 'resolved' };

interface Scene extends Provisioned {
  folder: Folder;
  hooks: Record<string, Receiver>;
}

const NAMES = ['ada', 'bob', 'cleo', 'everybody'];
const WEEKLY =
  "{ name: database, zone: Europe/Berlin, rotations: [{ people: [ada, bob], every: 1w, from: '2030-01-07T09:00' }] }";
export const STEPS = '[{ after: 10m, people: [bob] }, { after: 20m, channels: [everybody] }]';

export const fileOf = (
  hooks: Scene['hooks'],
  { schedule = WEEKLY, names = [] as string[], route = `{ onCall: database, escalation: ${STEPS} }` }
) =>
  [
    'apiVersion: 1',
    'channels:',
    ...NAMES.map((name) => `  - { name: ${name}-hook, type: webhook, url: '${hooks[name]!.url}' }`),
    'people:',
    ...['ada', 'bob', 'cleo'].map(
      (name) =>
        `  - { login: ${name}, channels: [${name}-hook]${name === 'ada' && names.length > 0 ? `, names: [${names.join()}]` : ''} }`
    ),
    `schedules: [${schedule}]`,
    `routes: [${route.replaceAll('everybody', 'everybody-hook')}]`,
  ].join('\n');

/** A bridge whose clock shows this time, with a hook for each person. */
export async function sceneAt(
  iso: string,
  given: { schedule?: string; route?: string; names?: string[] } = {}
): Promise<Scene> {
  const started = await Promise.all(NAMES.map(async (name) => [name, await closing(startHook())] as const));
  const hooks = Object.fromEntries(started);
  const folder = await Folder.make({ 'calls.yaml': fileOf(hooks, given) });
  const running = await folder.start();
  expect(await running.mistakes('calls.yaml')).toEqual([]);
  running.bridge.clock.advance(Date.parse(iso) - running.bridge.clock.now);
  return Object.assign(running, { folder, hooks });
}

export const send = async ({ bridge }: Provisioned, payload: object): Promise<number> => {
  const { body } = await bridge.post({ body: 'It does not respond.', ...payload });
  return (body as { id: number }).id;
};
export const told = ({ hooks }: Scene): Record<string, string> =>
  Object.fromEntries(
    NAMES.map((name) => [name, hooks[name]!.accepted.map(({ json }) => String(json.status)).join()] as const).filter(
      ([, all]) => all !== ''
    )
  );
/** Wakes what follows the clock of the test, and waits for what was told. */
export const isTold = (scene: Scene, wanted: Record<string, string>): Promise<unknown> =>
  until(async () => {
    await scene.bridge.call('POST', '/api/v1/channels/undelivered/send');
    expect(told(scene)).toEqual(wanted);
  });
export const deliveriesOf = async ({ bridge }: Provisioned, id: number): Promise<string[]> =>
  ((await bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${id}`)).deliveries ?? []).map(
    ({ channel, state, person, reason }: Delivery) => [channel, state, person, reason].filter(Boolean).join(' ')
  );
/** No step is left. */
export const isOver = (scene: Scene, id: number): Promise<unknown> =>
  until(async () => {
    await scene.bridge.call('POST', '/api/v1/channels/undelivered/send');
    expect((await deliveriesOf(scene, id)).join()).not.toMatch(/held|waiting/);
  });
