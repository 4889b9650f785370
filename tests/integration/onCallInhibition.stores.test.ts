/** Escalations of alerts that a source inhibits. */
import { expect, test } from 'vitest';
import { fromGrafana } from './grafanaPerson.testing.ts';
import { deliveriesOf, fileOf, FIRES, isTold, sceneAt, send, STEPS, until } from './onCall.testing.ts';
import { HOUR, MINUTE } from './support.ts';

const INHIBIT =
  'inhibit_rules: [{ source_matchers: [\'alertname="NodeDown"\'], target_matchers: [\'severity="critical"\'], equal: [instance] }]';
const CAUSE = {
  ...{ title: 'Node down', correlationId: 'node', dnpName: 'node', priority: 'low' },
  labels: { alertname: 'NodeDown', instance: 'a' },
};

async function inhibiting(route: string) {
  const scene = await sceneAt('2030-01-09T03:00:00+01:00', { route });
  const { bridge } = scene;
  await scene.folder.write({ 'calls.yaml': `${fileOf(scene.hooks, { route })}\n${INHIBIT}` });
  const rules = async () => (await bridge.call<{ rules: object[] }>('GET', '/api/v1/maintenance')).rules;
  await until(async () => expect(await rules()).toHaveLength(1));
  const id = await send(scene, { ...FIRES, labels: { severity: 'critical', instance: 'a' } });
  await isTold(scene, { ada: 'triggered' });
  await send(scene, { ...CAUSE, status: 'triggered' });
  await until(async () => expect(await deliveriesOf(scene, id)).toEqual(['ada-hook sent ada']));
  return scene;
}

test('after an inhibition, steps that were sent are not sent again, and the others go on', async () => {
  const scene = await inhibiting(`{ packages: [postgres], onCall: database, escalation: ${STEPS} }`);
  const { bridge } = scene;
  // It is suppressed, as the newest of its thread.
  const repeat = await send(scene, { ...FIRES, labels: { severity: 'critical', instance: 'a' } });
  await send(scene, { ...CAUSE, status: 'resolved' });
  await until(async () => expect((await deliveriesOf(scene, repeat)).join()).toContain('held'));
  bridge.clock.advance(10 * MINUTE);
  await isTold(scene, { ada: 'triggered', bob: 'triggered' });
});

test('after an inhibition, what is repeated until somebody acknowledges goes on', async () => {
  const scene = await inhibiting('{ packages: [postgres], onCall: database, repeatEvery: 30m }');
  await send(scene, { ...CAUSE, status: 'resolved' });
  await isTold(scene, { ada: 'triggered,triggered' });
  scene.bridge.clock.advance(30 * MINUTE);
  await isTold(scene, { ada: 'triggered,triggered,triggered' });
});

test('an update that is inhibited when it arrives withdraws the steps', async () => {
  const scene = await sceneAt('2030-01-09T03:00:00+01:00');
  const { bridge } = scene;
  const rule =
    'inhibit_rules: [{ source_matchers: [\'alertname="NodeDown"\'], target_matchers: [\'severity="critical"\'], equal: [instance] }]';
  await scene.folder.write({ 'calls.yaml': `${fileOf(scene.hooks, {})}\n${rule}` });
  const rules = async () => (await bridge.call<{ rules: object[] }>('GET', '/api/v1/maintenance')).rules;
  await until(async () => expect(await rules()).toHaveLength(1));
  const source = await send(scene, {
    ...{ title: 'Node down', correlationId: 'node', dnpName: 'node', status: 'triggered' },
    labels: { alertname: 'NodeDown', instance: 'a' },
  });
  // A step that is not sent yet would end with the acknowledgement.
  await isTold(scene, { ada: 'triggered' });
  await bridge.request('POST', `/api/v1/notifications/${source}/acknowledge`, undefined, fromGrafana('ada'));
  const id = await send(scene, { ...FIRES, labels: { severity: 'warning', instance: 'a' } });
  await isTold(scene, { ada: 'triggered,triggered' });
  await send(scene, { ...FIRES, labels: { severity: 'critical', instance: 'a' } });
  await until(async () => expect(await deliveriesOf(scene, id)).toEqual(['ada-hook sent ada']));
  bridge.clock.advance(HOUR);
  await isTold(scene, { ada: 'triggered,triggered' });
});
