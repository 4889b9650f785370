/** Full-text search of the list: `q`. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import { NOTIFICATIONS, useBridge } from './support.ts';

const bridge = useBridge();
const found = async (q: string, more = ''): Promise<string[]> => bridge().titles(`q=${encodeURIComponent(q)}${more}`);

describe('words', () => {
  beforeAll(async () => {
    await bridge().clear();
    await bridge().sendAll([
      { title: 'Disk almost full', body: 'Only 4.6 GB are left.', dnpName: 'dms.dnp.dappnode.eth' },
      { title: 'Café Zürich fell behind', body: 'naïve Ångström', dnpName: 'geth.dnp.dappnode.eth' },
      { title: '🔥 Fire', body: 'in the **data** centre', dnpName: 'dms.dnp.dappnode.eth' },
      { title: '⚠️ Warning', body: 'peers=3, head_slot:0xAb12', dnpName: 'lighthouse-hoodi.dnp.dappnode.eth' },
      { title: '磁盘已满', body: 'हिन्दी में', dnpName: 'other.dnp' },
      {
        title: 'Undefined',
        body: 'TypeError: x is "not" a function (AND it fails) NEAR the end*',
        dnpName: 'other.dnp',
      },
    ]);
  });

  it.each([
    ['disk', ['Disk almost full']],
    ['DISK', ['Disk almost full']],
    ['full disk', ['Disk almost full']],
    ['disk left', ['Disk almost full']],
    ['disk fire', []],
    ['alm', ['Disk almost full']],
    ['alm disk', []],
    ['disk alm', ['Disk almost full']],
    ['isk', []],
    ['cafe', ['Café Zürich fell behind']],
    ['CAFÉ zurich', ['Café Zürich fell behind']],
    ['cafe\u0301', ['Café Zürich fell behind']],
    ['naive angstrom', ['Café Zürich fell behind']],
    ['dms.dnp.dappnode.eth', ['🔥 Fire', 'Disk almost full']],
    ['dms.dnp', ['🔥 Fire', 'Disk almost full']],
    ['geth.d', ['Café Zürich fell behind']],
    ['lighthouse-hoodi', ['⚠️ Warning']],
    ['head_slot', ['⚠️ Warning']],
    ['head_slot:0xab12', ['⚠️ Warning']],
    ['4.6 GB', ['Disk almost full']],
    ['🔥 fire', ['🔥 Fire']],
    ['🔥', []],
    ['⚠️', []],
    ['⚠️ warning', ['⚠️ Warning']],
    ['!?', []],
    ['磁盘', ['磁盘已满']],
    ['हिन्दी', ['磁盘已满']],
  ])('%s', async (q, expected) => {
    expect(await found(q)).toEqual(expected);
    expect((await bridge().facets(`q=${encodeURIComponent(q)}`)).total).toBe(expected.length);
  });

  it.each([
    '"',
    '""',
    '"disk',
    'disk"',
    'disk*',
    '*',
    'disk OR fire',
    'disk AND full',
    'NOT disk',
    'disk NEAR fire',
    'NEAR(disk full)',
    'title:disk',
    '{title body}:disk',
    '^disk',
    '- disk',
    '+',
    'disk + full',
    '(disk',
    ')',
    "' or 1=1 --",
    '%',
    '_',
    'a'.repeat(500),
    '\\',
    ';',
    '--',
    'notifications_text',
    'rowid:1',
    '\u0301',
    '\ud83d\udd25',
  ])('operators of the index are treated as text: %s', async (q) => {
    const answer = await bridge().request<Notification[]>('GET', `${NOTIFICATIONS}?q=${encodeURIComponent(q)}`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    // Operators would match more than their words do.
    const words = q.normalize().match(/[\p{L}\p{N}]+/gu) ?? [];
    expect(answer.body.map(({ title }) => title)).toEqual(words.length === 0 ? [] : await found(words.join(' ')));
  });

  it.each([
    ['a NEAR the', ['Undefined']],
    ['"not" a function (AND it', ['Undefined']],
    ['disk OR', []],
    ['NOT a function', ['Undefined']],
  ])('keywords of the index are words: %s', async (q, expected) => {
    expect(await found(q)).toEqual(expected);
  });

  it.each(['', '   '])('an empty search is ignored: "%s"', async (q) => {
    expect(await found(q)).toHaveLength(6);
  });

  it('more than 500 characters are rejected', async () => {
    expect((await bridge().request('GET', `${NOTIFICATIONS}?q=${'a'.repeat(501)}`)).status).toBe(400);
  });
});

describe('results', () => {
  beforeEach(() => bridge().clear());

  it('newest first', async () => {
    for (let index = 0; index < 12; index += 1) {
      await bridge().send({ title: `needle ${index}`, body: 'needle '.repeat(12 - index) });
      bridge().clock.advance(1000);
    }
    expect(await found('needle')).toEqual(Array.from({ length: 12 }, (_, index) => `needle ${11 - index}`));
  });

  it('include what has just arrived', async () => {
    for (let index = 0; index < 30; index += 1) {
      await bridge().send({ title: `only${index}` });
      expect(await found(`only${index}`)).toEqual([`only${index}`]);
    }
  });

  it('with other filters', async () => {
    await bridge().sendAll([
      { title: 'needle a', category: 'a' },
      { title: 'needle b', category: 'b' },
      { title: 'straw', category: 'a' },
      { title: 'needle e', errors: 'e' },
    ]);
    expect(await found('needle', '&category=a')).toEqual(['needle a']);
    expect(await found('needle', '&errors=only')).toEqual(['needle e']);
    expect(await found('needle')).toEqual(['needle b', 'needle a']);
  });

  it('exclude deleted notifications, and include restored ones, indexed or not', async () => {
    const [first] = await bridge().sendAll([{ title: 'needle one' }, { title: 'needle two' }]);
    for (const searchedBefore of [false, true]) {
      if (searchedBefore) {
        expect(await found('needle')).toEqual(['needle two', 'needle one']);
      }
      const undo = await bridge().remove(first!.id);
      expect(await found('needle')).toEqual(['needle two']);
      expect(await found('needle one')).toEqual([]);
      await bridge().restore(undo);
      expect(await found('needle')).toEqual(['needle two', 'needle one']);
    }
  });

  it('include one that was deleted before it was indexed, and restored after others were', async () => {
    const first = await bridge().send({ title: 'needle one' });
    const undo = await bridge().remove(first.id);
    await bridge().send({ title: 'needle two' });
    expect(await found('needle')).toEqual(['needle two']);
    await bridge().restore(undo);
    expect(await found('needle')).toEqual(['needle two', 'needle one']);
    await bridge().remove(first.id);
    expect(await found('needle')).toEqual(['needle two']);
  });

  it('marking and deleting by a search include what has just arrived', async () => {
    const sent = await bridge().sendAll([{ title: 'needle one' }, { title: 'straw' }]);
    expect(await bridge().call('PUT', `${NOTIFICATIONS}/seen?q=needle`)).toEqual({ changed: 1 });
    await bridge().send({ title: 'needle two' });
    expect(await bridge().call('POST', `${NOTIFICATIONS}/delete`, { filter: { q: 'needle' } })).toMatchObject({
      deleted: 2,
    });
    expect(await bridge().list()).toEqual([sent[1]]);
  });

  it('after a restart', async () => {
    await bridge().send({ title: 'needle' });
    await bridge().restart();
    expect(await found('needle')).toEqual(['needle']);
  });
});
