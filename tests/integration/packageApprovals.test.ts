/** The number of accepted disclaimers is limited. */
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { manifest, PACKAGES, register } from './packages.testing.ts';
import { useBridge } from './support.ts';

const bridge = useBridge();

test('a disclaimer that is accepted repeatedly is stored once, and the newest 50 are kept', async () => {
  const name = 'many.example.eth';
  const disclaimer = { message: 'You may lose **money**.' };
  const kept = (): number => {
    const database = new Database(path.join(bridge().dataDir, 'nodebell.db'), { readonly: true });
    const counted = database.prepare('select count(*) as n from package_approvals where dnp_name = ?').get(name);
    database.close();
    return (counted as { n: number }).n;
  };
  const update = async (number: number, message: string) =>
    bridge().request('PUT', `${PACKAGES}/${name}`, {
      manifest: manifest({ name, version: `1.0.${number}`, disclaimer: { message } }),
      disclaimerAccepted: true,
    });
  await register(bridge(), { name, disclaimer }, { disclaimerAccepted: true });
  expect((await update(1, disclaimer.message)).status).toBe(200);
  expect((await update(2, disclaimer.message)).body).toMatchObject({
    version: '1.0.2',
    approval: { version: '1.0.0' },
  });
  expect(kept()).toBe(1);
  for (let number = 3; number < 55; number += 1) {
    await update(number, `Version ${number}.`);
  }
  expect(kept()).toBe(50);
  expect(await bridge().call('GET', `${PACKAGES}/${name}`)).toMatchObject({
    approval: { text: 'Version 54.', version: '1.0.54' },
  });
});
