import { expect, it } from 'vitest';
import { DEFAULTS, readOptions } from './options';

it.each([undefined, null, 'x', {}, { packages: 'geth', onlySliders: 'yes' }])('reads %j as the defaults', (options) => {
  expect(readOptions(options)).toEqual(DEFAULTS);
});

it('keeps valid values', () => {
  expect(readOptions({ packages: ['a.eth', 3], onlySliders: true })).toEqual({
    packages: ['a.eth'],
    onlySliders: true,
  });
});
