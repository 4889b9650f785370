/** Provisioned senders: tokens from variables and files, and their removal. */
import { describe, expect, test } from 'vitest';
import { eventually, Folder, TOKEN } from './provisioning.testing.ts';

describe('tokens', () => {
  const sender = (more: string) => `apiVersion: 1\nsenders:\n  - { name: s, ${more} }\n`;
  test('a token is read from a file and follows its changes; the old one is rejected', async () => {
    const folder = await Folder.make({ 'all.yaml': sender('tokenFile: secret'), secret: `${TOKEN}\n` });
    const running = await folder.start();
    expect(await running.send(TOKEN, { title: 'first' })).toBe(201);
    await folder.write({ secret: 'another-token-of-the-sender' });
    await eventually(async () => expect(await running.send(TOKEN)).toBe(403));
    expect(await running.send('another-token-of-the-sender')).toBe(201);
    await folder.write({ secret: TOKEN });
    await eventually(async () => expect(await running.send(TOKEN)).toBe(201));
    expect((await running.file('all.yaml'))?.senders).toEqual(['s']);
  });
  test.each([
    ['token: short', /has 5 characters/],
    ['token: "two words that are long enough"', /one word/],
    ['tokenFile: nowhere', /nowhere does not exist/],
    ['token: "${NOT_SET}"', /NOT_SET is not set/],
    [`token: the-admin-token-of-the-tests`, /is the admin's/],
  ])('%s is an error that does not contain it', async (member, message) => {
    const folder = await Folder.make({ 'all.yaml': sender(member) });
    const running = await folder.start();
    const [mistake] = await running.mistakes('all.yaml');
    expect(mistake).toMatch(message);
    expect(mistake).not.toMatch(/short|two words|admin-token/);
  });
  test('a token that an admin created for another sender is rejected', async () => {
    const folder = await Folder.make();
    const running = await folder.start();
    const { token } = await running.bridge.call<{ token: string }>('POST', '/api/v1/tokens', { name: 'by hand' });
    await folder.write({ 'all.yaml': sender(`token: ${token}`) });
    await eventually(async () =>
      expect(await running.mistakes('all.yaml')).toEqual([expect.stringMatching(/that of the sender "by hand"/)])
    );
    expect(await running.send(token)).toBe(201);
  });
});
