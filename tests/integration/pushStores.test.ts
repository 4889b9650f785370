/** Web push of a store that was restored or migrated. On replicas: replicasPush.postgres.test.ts. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import type { PushKey } from '../../backend-bridge/contract/push.ts';
import { run } from '../../backend-bridge/src/cli/cliWorld.testing.ts';
import { testAddress } from '../../backend-bridge/src/platform/storage/address.testing.ts';
import { until, World } from './push.testing.ts';
import { envOf } from './storeBackup.testing.ts';

test('restored or migrated, the store keeps devices and keys: they are reached', async () => {
  const world = await World.start();
  await world.device('anna', 'phone');
  const key = await world.call<PushKey>('anna', 'GET', '/push/key');
  const { bridge } = world.running;
  const [file, restored, migrated] = ['b.jsonl.zst', 'restored', 'migrated'].map((name) =>
    path.join(temporaryFolder(), name)
  );
  const commands = [
    [['backup', '--to', file!], await envOf(bridge.dataDir)],
    [['restore', file!, '--into', '$STORE'], { STORE: await testAddress(restored!) }],
    [
      ['migrate', '--from', '$FROM', '--to', '$TO'],
      { FROM: await testAddress(bridge.dataDir), TO: await testAddress(migrated!) },
    ],
  ] as const;
  await bridge.stop();
  for (const [args, env] of commands) {
    expect(await run([...args], { env })).toMatchObject({ code: 0 });
  }
  for (const dataDir of [restored!, migrated!]) {
    const moved = await world.onStore(dataDir);
    expect(await moved.call('anna', 'GET', '/push/key')).toEqual(key);
    await moved.send({ title: path.basename(dataDir), priority: 'critical' });
    await until(() => expect(world.shown('phone')).toContain(`Critical: ${path.basename(dataDir)}`));
  }
});
