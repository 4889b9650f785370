import { expect, it } from 'vitest';
import { DEFAULTS, MOST_ROWS, readOptions } from './options';

it.each([
  undefined,
  null,
  'x',
  {},
  { dnpName: 'geth', category: 3, priority: ['loud'], show: 'some', timeRange: 'yes', keepOpen: 1, limit: -1 },
])('reads %j as the defaults', (options) => {
  expect(readOptions(options)).toEqual(DEFAULTS);
});

it('keeps valid values', () => {
  const options = {
    dnpName: ['$package', 3],
    category: ['hardware'],
    priority: ['critical', 'high'],
    show: 'open',
    timeRange: false,
    keepOpen: false,
    limit: 5,
  };
  expect(readOptions(options)).toEqual({ ...options, dnpName: ['$package'], priority: ['high', 'critical'] });
  expect(readOptions({ limit: 1e6 }).limit).toBe(MOST_ROWS);
});
