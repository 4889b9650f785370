/** Labels, filters and times of Alertmanager's API. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { AmAlert, AmGroup, AmSilence } from '../../backend-bridge/contract/alertmanager.ts';
import { HOUR, MINUTE, useBridge } from './support.ts';

const API = '/alertmanager/api/v2';
const bridge = useBridge();
const iso = (ms: number): string => new Date(ms).toISOString();
const post = (...alerts: object[]) => bridge().call('POST', `${API}/alerts`, alerts);
const query = (filters: readonly string[]): string =>
  new URLSearchParams(filters.map((filter) => ['filter', filter])).toString();
const alerts = (...filters: string[]) => bridge().call<AmAlert[]>('GET', `${API}/alerts?${query(filters)}`);
const named = async (...filters: string[]) =>
  (await alerts(...filters)).map(({ labels }) => labels['name'] ?? labels['alertname']).sort();
beforeEach(async () => {
  const endsAt = iso(bridge().clock.now);
  await post(...(await alerts()).map(({ labels }) => ({ labels, endsAt })));
});

test('an alert must match all filters of a request', async () => {
  const pairs = ['a1', 'a2', 'b1'].map((name) => ({ labels: { name, side: name[0]!, number: name[1]! } }));
  await post(...pairs);
  expect(await named('side=a')).toEqual(['a1', 'a2']);
  expect(await named('side=a', 'number=1')).toEqual(['a1']);
  expect(await named('side=~"a|b"', 'number!=2')).toEqual(['a1', 'b1']);
  expect(await named('side=a', 'side=b')).toEqual([]);
});

test('a filter may have the syntax of releases before 0.27, and is one matcher', async () => {
  await post({ labels: { name: 'one', summary: 'foo bar' } }, { labels: { name: 'two', summary: 'foo' } });
  expect(await named('summary=foo bar')).toEqual(['one']);
  for (const filter of ['summary="foo",name="two"', '{summary="foo"}']) {
    const { status, body } = await bridge().request('GET', `${API}/alerts?${query([filter])}`);
    expect([status, body]).toEqual([400, expect.stringMatching(/^bad filter: found/)]);
  }
});

describe('names and values of any UTF-8', () => {
  const labels = { alertname: 'Größe', '🙂 face': 'line\nand "quotes"', 'a.b-c': 'dΘ' };

  test('of alerts are kept, and filters select them, written with escapes too', async () => {
    await post({ labels }, { labels: { alertname: 'other', 'a.b-c': 'x' } });
    expect((await alerts('alertname="Größe"')).map((one) => one.labels)).toEqual([labels]);
    expect(await named('"a.b-c"=dΘ')).toEqual(['Größe']);
    expect(await named(String.raw`"\xf0\x9f\x99\x82 face"="line\nand \"quotes\""`)).toEqual(['Größe']);
    expect(await named('"🙂 face"=~"line.*"')).toEqual([]);
    expect(await named('"🙂 face"=~"(?s)line.*"')).toEqual(['Größe']);
    const groups = await bridge().call<AmGroup[]>('GET', `${API}/alerts/groups?${query(['"a.b-c"=x'])}`);
    expect(groups.map((group) => [group.labels, group.alerts.length])).toEqual([[{ alertname: 'other' }, 1]]);
    const [row] = (await bridge().list()).filter(({ title }) => title === 'Größe');
    expect((await bridge().get(row!.id)).labels).toEqual(labels);
  });

  test('of silences are kept, and compared with alerts and filters', async () => {
    const matchers = [
      { name: 'a.b-c', value: 'dΘ', isRegex: false, isEqual: true },
      { name: '🙂 face', value: '(?s)line.*"', isRegex: true, isEqual: true },
    ];
    const { now } = bridge().clock;
    const times = { startsAt: iso(now), endsAt: iso(now + HOUR) };
    const body = { matchers, ...times, createdBy: 'anna', comment: 'ö' };
    const { silenceID } = await bridge().call<{ silenceID: string }>('POST', `${API}/silences`, body);
    expect(await bridge().call<AmSilence>('GET', `${API}/silence/${silenceID}`)).toMatchObject({ matchers });
    const selected = (filter: string) => bridge().call<AmSilence[]>('GET', `${API}/silences?${query([filter])}`);
    expect((await selected('"a.b-c"=dΘ')).map(({ id }) => id)).toEqual([silenceID]);
    expect(await selected('"a.b-c"=d')).toEqual([]);
    await post({ labels });
    expect((await alerts())[0]!.status.silencedBy).toEqual([silenceID]);
  });
});

describe('an alert that is sent again', () => {
  const labels = { alertname: 'Again' };
  const at = (minutes: number): string => iso(bridge().clock.now + minutes * MINUTE);
  const shown = async () => {
    const [{ startsAt, endsAt }] = (await alerts()) as [AmAlert];
    return { startsAt, endsAt };
  };

  test('keeps its earliest start', async () => {
    const endsAt = at(10);
    await post({ labels, startsAt: at(-3), endsAt });
    const [early, late] = [at(-5), at(-1)];
    await post({ labels, startsAt: late, endsAt });
    expect((await shown()).startsAt).toBe(at(-3));
    await post({ labels, startsAt: early, endsAt });
    expect((await shown()).startsAt).toBe(early);
    await post({ labels, startsAt: late, endsAt: at(0) });
    const resolved = (await bridge().list()).find(({ title, status }) => title === 'Again' && status === 'resolved')!;
    expect(JSON.stringify(await bridge().get(resolved.id))).toContain(early);
  });

  test('has the latest end that was given; without one, that of the time-out', async () => {
    await post({ labels, startsAt: at(-1) });
    expect((await shown()).endsAt).toBe(at(5));
    await post({ labels, endsAt: at(2) });
    expect((await shown()).endsAt).toBe(at(2));
    const given = at(20);
    await post({ labels, endsAt: given });
    await post({ labels, endsAt: at(8) });
    await post({ labels });
    expect((await shown()).endsAt).toBe(given);
    bridge().clock.advance(17 * MINUTE);
    await post({ labels });
    expect((await shown()).endsAt).toBe(at(5));
  });
});
