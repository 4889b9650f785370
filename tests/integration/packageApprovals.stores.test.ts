/** The number of accepted disclaimers is limited. */
import { expect, test } from 'vitest';
import { openDatabase } from '../../backend-bridge/src/platform/database.ts';
import { testAddress } from '../../backend-bridge/src/platform/storage/address.testing.ts';
import { manifest, PACKAGES, register } from './packages.testing.ts';
import { useBridge } from './support.ts';

const bridge = useBridge();

test('a disclaimer that is accepted repeatedly is stored once, and the newest 50 are kept', async () => {
  const name = 'many.example.eth';
  const disclaimer = { message: 'You may lose **money**.' };
  const kept = async (): Promise<number> => {
    const db = openDatabase(await testAddress(bridge().dataDir), { readonly: true });
    const rows = await db.selectFrom('package_approvals').select('seq').where('dnp_name', '=', name).execute();
    await db.destroy();
    return rows.length;
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
  expect(await kept()).toBe(1);
  for (let number = 3; number < 55; number += 1) {
    await update(number, `Version ${number}.`);
  }
  expect(await kept()).toBe(50);
  expect(await bridge().call('GET', `${PACKAGES}/${name}`)).toMatchObject({
    approval: { text: 'Version 54.', version: '1.0.54' },
  });
});
