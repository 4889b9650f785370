import { expect, it } from 'vitest';
import { signIn } from '../component.testing';
import { ACTION_IDS, type ActionId } from './actions';
import { createTargets } from './targets';
import { aGroup, aNotification } from './inbox.testing';
import { EMPTY_VIEW, type View } from './view';

const PLUGIN = 'nodebell-notifications-app';
const OPEN = aNotification({ id: 1, thread: { state: 'open' } });
const EVENT = aNotification({ id: 2 });
const burst = { id: 5, name: 'HighCPU', count: 40, open: 0, unread: 3, priority: 'low' as const };
const BURST = aNotification({ id: 3, thread: { burst } });

function setup(selection: { all?: boolean; chosen?: Array<typeof OPEN> } = {}, view: Partial<View> = {}) {
  signIn(['inbox:seen', 'inbox:write'].map((action) => `${PLUGIN}.${action}`));
  const all = { all: false, chosen: [], ...selection };
  return createTargets({ view: { ...EMPTY_VIEW, ...view }, loaded: undefined, total: 500, selection: all });
}
const offered = ({ selectedFor }: ReturnType<typeof setup>): ActionId[] => ACTION_IDS.filter((id) => selectedFor(id));

it('rows of bursts stand for all that match', () => {
  const { ids, filters, count } = setup().targetsOf([EVENT, BURST]);
  expect(ids).toEqual([2]);
  expect(filters).toEqual([expect.objectContaining({ burst: 5, latest: 'true' })]);
  expect(count).toBe(41);
});

it('all that match are a filter, of one category for a group', () => {
  const { matching } = setup({}, { tab: 'open' });
  expect(matching()).toMatchObject({ rows: 'all', ids: [], filters: [{ open: 'true', untilId: 0 }], count: 500 });
  expect(matching(aGroup({ value: 'hardware', count: 7 }))).toMatchObject({
    rows: [],
    filters: [{ category: ['hardware'] }],
    count: 7,
  });
});

it('all of a group by a label are a filter with one more matcher', () => {
  const { matching } = setup({}, { groupBy: 'team', matchers: 'severity="critical"' });
  expect(matching(aGroup({ by: 'team', value: 'a', count: 7 }))).toMatchObject({
    ...{ rows: [], count: 7, filters: [{ matchers: 'severity="critical", team="a"' }] },
  });
  expect(matching(aGroup({ by: 'team', value: '' })).filters).toMatchObject([
    { matchers: 'severity="critical", team=""' },
  ]);
});

it('offers to resolve selected rows only if one is open, and resolves that', () => {
  expect(offered(setup({ chosen: [EVENT] }))).not.toContain('resolve');
  expect(setup({ chosen: [EVENT, OPEN] }).selectedFor('resolve')?.ids).toEqual([1]);
  expect(setup({ chosen: [EVENT, OPEN] }).selectedFor('delete')?.ids).toEqual([2, 1]);
});

it('does not offer to mark all that match as unread', () => {
  const single = ['read', 'unread', 'acknowledge', 'snooze', 'assign', 'resolve', 'delete'];
  expect(offered(setup({ chosen: [OPEN] }))).toEqual(single);
  expect(offered(setup({ all: true }))).toEqual(single.filter((id) => id !== 'unread'));
});

it('offers only to delete notifications outside the inbox', () => {
  expect(offered(setup({ chosen: [OPEN] }, { tab: 'errors' }))).toEqual(['delete']);
});

it('offers what the user is permitted to do', () => {
  const targets = setup({ chosen: [OPEN] });
  signIn([`${PLUGIN}.inbox:seen`]);
  expect(offered(targets)).toEqual(['read', 'unread', 'snooze']);
});
