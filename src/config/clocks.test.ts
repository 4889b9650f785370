import { expect, it } from 'vitest';
import { judgeClocks } from './clocks';

const NOW = Date.UTC(2026, 10, 21, 10);
const MINUTE = 60_000;

it.each([
  ['all agree', { bridge: 0, browser: 900, grafana: -1500 }, true, 'within 2 s'],
  ['to the millisecond', { bridge: 0, browser: 0, grafana: 0 }, true, 'within 1 s'],
  ['a minute is no wrong clock', { bridge: 0, browser: MINUTE, grafana: 0 }, true, 'within 60 s'],
  ['the bridge behind', { bridge: -7 * MINUTE, browser: 0, grafana: 0 }, false, 'the bridge is 7 min behind'],
  ['this computer ahead', { bridge: 0, browser: 90 * MINUTE, grafana: 0 }, false, 'this computer is 1 h 30 min ahead'],
  ['Grafana behind', { bridge: 0, browser: 0, grafana: -2 * MINUTE }, false, 'the Grafana server is 2 min behind'],
  [
    'none agree',
    { bridge: 0, browser: 10 * MINUTE, grafana: -5 * MINUTE },
    false,
    'the Grafana server is 5 min behind the bridge, this computer is 10 min ahead',
  ],
  ['Grafana unknown, apart', { bridge: 3 * MINUTE, browser: 0 }, false, 'the bridge is 3 min ahead of this computer'],
  ['Grafana unknown, together', { bridge: 0, browser: 0 }, true, 'within 1 s'],
])('%s', (_name, { bridge, browser, ...rest }, agree, words) => {
  const grafana = 'grafana' in rest && rest.grafana !== undefined ? { grafana: NOW + rest.grafana } : {};
  expect(judgeClocks({ bridge: NOW + bridge, browser: NOW + browser, ...grafana })).toMatchObject({ agree, words });
});

it('says when signed alerts are refused for it', () => {
  const clocks = { bridge: NOW, browser: NOW };
  expect(judgeClocks({ ...clocks, grafana: NOW - 5 * MINUTE }).signaturesFail).toBe(false);
  expect(judgeClocks({ ...clocks, grafana: NOW - 5 * MINUTE - 1 }).signaturesFail).toBe(true);
});
