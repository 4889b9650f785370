import { expect, it } from 'vitest';
import type { PackageLink } from '@nodebell/contract/package.ts';
import { countThatFit } from './links';

const known = (kind: 'ui' | 'api' | 'homepage' | 'report'): PackageLink => ({ key: kind, kind, url: '/x' });
const own = (key: string): PackageLink => ({ key, kind: 'other', url: '/x' });

it.each([
  ['three usual ones', [known('api'), known('homepage'), known('report')], 3],
  ['never more than three', [known('ui'), own('a'), own('b'), own('c')], 3],
  ['those before one that does not fit', [known('api'), known('homepage'), own('Arango database')], 2],
  ['one that is too long by itself', [own('a'.repeat(99)), known('ui')], 1],
  ['none', [], 0],
])('shows %s', (_, links, expected) => {
  expect(countThatFit(links, 40)).toBe(expected);
});
