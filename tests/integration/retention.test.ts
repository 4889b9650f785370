/** Retention over HTTP and by provisioning files. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { archivedRow } from '../../backend-bridge/src/inbox/retention/archived.testing.ts';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { MAX_ARCHIVED_ID, MAX_ID } from '../../backend-bridge/contract/id.ts';
import { LIMITS } from '../../backend-bridge/contract/limits.ts';
import type { Provisioning } from '../../backend-bridge/contract/provisioning.ts';
import type { RetentionStatus } from '../../backend-bridge/contract/retention.ts';
import { TEST_ENGINE } from '../../backend-bridge/src/platform/storage/address.testing.ts';
import { run } from '../../backend-bridge/src/cli/cliWorld.testing.ts';
import { ADMIN_TOKEN, NOTIFICATIONS, type Problem, TestBridge } from './support.ts';

const RETENTION = '/api/v1/retention';
let bridge: TestBridge;
let dir: string;
beforeEach(async () => {
  dir = temporaryFolder();
  bridge = await TestBridge.start({ provisioning: { dir, env: { MAX: '1000' } } });
});
afterEach(async () => {
  await bridge.dispose();
});

const status = () => bridge.call<RetentionStatus>('GET', RETENTION);
const file = (text: string) => writeFile(path.join(dir, 'retention.yaml'), text);

describe('over HTTP', () => {
  it('does not overwrite the change of another', async () => {
    const { revision } = await status();
    const put = (policy: object) => bridge.request('PUT', `${RETENTION}?revision=${revision}`, policy);
    expect((await put({ maxNotifications: 1000 })).status).toBe(200);
    const stale = await put({ maxNotifications: 5 });
    expect([stale.status, (stale.body as Problem).detail]).toEqual([
      409,
      'Retention has been changed since it was read. Load it again.',
    ]);
    expect((await status()).policy).toEqual({ maxNotifications: 1000 });
  });

  it('is off until it is set; says what the disk is used for', async () => {
    expect(await status()).toMatchObject({ policy: {}, notifications: 0, removed: 0, archive: { files: 0, bytes: 0 } });
    for (let count = 0; count < 7; count += 1) {
      await bridge.call('POST', NOTIFICATIONS, { title: 'T', body: 'x'.repeat(1000) });
    }
    bridge.clock.advance(24 * 3_600_000);
    const used = await status();
    expect(used).toMatchObject({ notifications: 7, day: { notifications: 1 } });
    expect(used.notificationBytes).toBeGreaterThan(7 * 1000);
    expect(used.day.bytes).toBe(Math.round(used.notificationBytes / 7));
    expect(used.databaseBytes).toBeGreaterThan(0);
    // The free space of a database server is unknown.
    expect(used.diskFreeBytes ?? 0).toBeGreaterThan(TEST_ENGINE === 'sqlite' ? 0 : -1);
  });

  it('is set, and says by whom; a preview changes nothing', async () => {
    await bridge.call('POST', NOTIFICATIONS, { title: 'A', body: '', status: 'triggered' });
    await bridge.call('POST', NOTIFICATIONS, { title: 'B', body: '' });
    await bridge.call('POST', NOTIFICATIONS, { title: 'C', body: '' });
    const preview = await bridge.call('POST', `${RETENTION}/preview`, { maxNotifications: 1 });
    expect(preview).toMatchObject({ removed: 2, notifications: 3, heldByOpenThreads: 1, complete: true });
    expect(preview.bytes).toBeGreaterThan(1000);
    const policy = { rules: [{ olderThan: '90d', read: true }], archive: true };
    expect(await bridge.call('PUT', RETENTION, policy)).toMatchObject({ policy, changedAt: bridge.clock.iso });
    await bridge.restart();
    expect(await status()).toMatchObject({ policy, notifications: 3 });
  });

  it.each([
    [{ rules: [{ olderThan: '90' }] }, '/rules/0/olderThan', 'an age such as 12h, 90d or 52w, or never'],
    [{ rules: [{ olderThan: '4000d' }] }, '/rules/0/olderThan', 'an age of at most 3650d, or never'],
    [{ rules: [{ olderThan: '1d', categories: [] }] }, '/rules/0/categories', 'a list of categories that is not empty'],
    [
      { rules: [{ olderThan: '1d' }, { olderThan: '2d' }] },
      '/rules/1',
      'absent: rule 1 already matches every notification',
    ],
    [{ maxBytes: '5 GB' }, '/maxBytes', 'a size such as 500MB or 5GB'],
    [{ maxNotifications: 0 }, '/maxNotifications', 'a whole number from 1 to 1000000000'],
    [{ maxArchiveBytes: '5GB' }, '/maxArchiveBytes', 'absent without "archive: true"'],
  ])('%j is rejected', async (policy, pointer, allowed) => {
    const { status: code, body } = await bridge.request('PUT', RETENTION, policy);
    expect([code, body.errors[0].pointer, body.errors[0].allowed]).toEqual([400, pointer, allowed]);
    expect((await status()).policy).toEqual({});
  });
});

describe('an archive', () => {
  const archived = archivedRow();
  const importing = (changes: object) =>
    bridge.request('POST', '/api/v1/archive', { notifications: [{ ...archived, id: 7, ...changes }] });

  it('with an id that would leave no ids for new notifications is rejected', async () => {
    const refused = await importing({ id: Number.MAX_SAFE_INTEGER });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/notifications/0/id']);
  });

  it('with the highest id allowed leaves every later notification usable by its id', async () => {
    expect((await importing({ id: MAX_ARCHIVED_ID })).status).toBe(200);
    const { id } = await bridge.send({ title: 'next', status: 'triggered' });
    expect(id).toBe(MAX_ARCHIVED_ID + 1);
    expect(await bridge.call('GET', `${NOTIFICATIONS}/${id}`)).toMatchObject({ id });
    await bridge.call('PATCH', `${NOTIFICATIONS}/${id}`, { seen: true });
    await bridge.call('PUT', `${NOTIFICATIONS}/seen`, { ids: [id], seen: false });
    await bridge.call('GET', `${NOTIFICATIONS}?untilId=${id}`);
    const page = await bridge.request('GET', `${NOTIFICATIONS}?limit=1`);
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    expect(await bridge.call('GET', next!)).toMatchObject([{ id: MAX_ARCHIVED_ID }]);
    const { undo } = await bridge.call('POST', `${NOTIFICATIONS}/resolve`, { ids: [id] });
    expect(await bridge.call('POST', `${NOTIFICATIONS}/restore`, { undo })).toEqual({ restored: 1 });
    expect((await bridge.request('GET', `${NOTIFICATIONS}/${MAX_ID + 1}`)).status).toBe(400);
  });

  const STORABLE = 'well-formed Unicode text without NUL';
  it.each([
    ['NUL', { extra: { ignored: ['\u0000'] } }, '/extra/ignored/0', STORABLE],
    ['half a surrogate pair', { extra: { ignored: { a: '\ud800' } } }, '/extra/ignored/a', STORABLE],
    ['NUL in the name of a member', { extra: { 'a\u0000': 1 } }, '/extra/a', 'well-formed member names'],
    ['a long package', { dnpName: 'x'.repeat(2800) }, '/dnpName', 'at most 1,024 bytes of UTF-8'],
    [
      'a long correlationId',
      { correlationId: '\u{1f600}'.repeat(700) },
      '/correlationId',
      'at most 1,024 bytes of UTF-8',
    ],
    ['a long category', { category: 'x'.repeat(1025) }, '/category', 'at most 1,024 bytes of UTF-8'],
    [
      'the year 0',
      { timestamp: '0000-01-01T00:00:00Z' },
      '/timestamp',
      'an ISO 8601 date-time of the years 1970 to 9999',
    ],
    [
      'the year 0 at the node',
      { sentAt: '0000-01-01T00:00:00Z' },
      '/sentAt',
      'an ISO 8601 date-time of the years 1970 to 9999',
    ],
  ])('with %s is rejected, and stores nothing', async (_, changes, pointer, allowed) => {
    const { status: code, body } = await importing(changes);
    const { errors = [] } = body as Partial<Problem>;
    expect([code, errors.map((one) => [one.pointer, one.allowed])]).toEqual([
      400,
      [[`/notifications/0${pointer}`, allowed]],
    ]);
    expect(await bridge.call('GET', NOTIFICATIONS)).toEqual([]);
  });

  it('keeps members that are nested as deeply as a sender may send them', async () => {
    const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });
    const { id } = await bridge.send({ title: 'T', ...deep(LIMITS.bodyDepth.value - 1) });
    expect(id).toBe(1);
    expect((await importing({ extra: deep(LIMITS.bodyDepth.value - 1) })).status).toBe(200);
  });

  it('keeps a time of the year 0 from a sender out', async () => {
    const payload = { title: 'T', body: 'B', sentAt: '0000-01-01T00:00:00Z' };
    const stored = await bridge.call('POST', NOTIFICATIONS, payload);
    expect([stored.sentAt, stored.ignored]).toEqual([undefined, [expect.objectContaining({ pointer: '/sentAt' })]]);
  });
});

describe('provisioned', () => {
  const VALID =
    'apiVersion: 1\nretention:\n  rules:\n    - { olderThan: 90d, read: true }\n  maxNotifications: ${MAX}\n';

  it('takes precedence over that of an admin, can be changed only in the file, and ends with it', async () => {
    await bridge.call('PUT', RETENTION, { maxNotifications: 5 });
    await file(VALID);
    await bridge.restart();
    const policy = { rules: [{ olderThan: '90d', read: true }], maxNotifications: 1000 };
    expect(await status()).toMatchObject({ policy, file: 'retention.yaml' });
    const refused = await bridge.request('PUT', RETENTION, {});
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'Retention is provisioned by retention.yaml; it can be changed only there.',
    ]);
    await rm(path.join(dir, 'retention.yaml'));
    await bridge.restart();
    const after = await status();
    expect([after.policy, after.file]).toEqual([{ maxNotifications: 5 }, undefined]);
  });

  it('is part of a dry run', async () => {
    // A folder of its own: changes in the bridge's folder are applied within 200 ms.
    const wanted = temporaryFolder();
    const want = (text: string) => writeFile(path.join(wanted, 'retention.yaml'), text);
    const dryRun = async () => {
      const flags = ['provision', '--dry-run', '--dir', wanted, '--url', bridge.url];
      const env = { MAX: '1000', NODEBELL_ADMIN_TOKEN: ADMIN_TOKEN };
      return (await run(flags, { env, fetch: globalThis.fetch })).out;
    };
    expect(await dryRun()).toBe('No differences.\n');
    await want(VALID);
    const rules = 'rules [{"olderThan":"90d","read":true}], maxNotifications';
    expect(await dryRun()).toContain(`+ retention  notifications  off → ${rules} 1000`);
    await file(VALID);
    await bridge.restart();
    expect(await dryRun()).toBe('No differences.\n');
    await want(VALID.replace('${MAX}', '500'));
    expect(await dryRun()).toContain(`~ retention  notifications  ${rules} 1000 → ${rules} 500`);
    await rm(path.join(wanted, 'retention.yaml'));
    expect(await dryRun()).toContain(`- retention  notifications  no longer ${rules} 1000`);
  });

  it('in two files is an error in the second', async () => {
    await file(VALID);
    await writeFile(path.join(dir, 'second.yaml'), VALID);
    await bridge.restart();
    const { files } = await bridge.call('GET', '/api/v1/provisioning');
    expect((files as Provisioning['files']).map((one) => [one.state, one.findings[0]?.detail])).toEqual([
      ['applied', undefined],
      ['failed', 'Retention is provisioned by retention.yaml: keep it in one of the two.'],
    ]);
  });

  it.each([
    [
      'rules:\n    - { olderThan: 3 months }',
      4,
      20,
      'retention.rules[0].olderThan must be an age such as 12h, 90d or 52w, or never; found 3 months.',
    ],
    ['rules:\n    - { olderThen: 90d }', 4, 9, '"olderThen" is unknown. Did you mean "olderThan"?'],
    ['maxBytes: 5 GB', 3, 13, 'retention.maxBytes must be a size such as 500MB or 5GB; found 5 GB.'],
  ])('%s: line and column', async (text, line, column, detail) => {
    await file(`apiVersion: 1\nretention:\n  ${text}\n`);
    await bridge.restart();
    const { files } = await bridge.call('GET', '/api/v1/provisioning');
    expect(files[0].findings).toContainEqual(expect.objectContaining({ line, column, detail }));
    expect((await status()).policy).toEqual({});
  });
});
