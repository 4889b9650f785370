import type { IgnoredMember } from '@nodebell/contract/notification.ts';
import { expect, it, vi } from 'vitest';
import { render, screen, within } from '../../component.testing';
import { aNotification, timeOf } from '../testData';
import { Detail } from './Detail';

function renderDetail(ignored?: IgnoredMember[]) {
  const notification = aNotification({ id: 1 });
  const detail = { ...notification, members: [notification], ...(ignored && { ignored }) };
  const handlers = { onResolve: undefined, onOpen: vi.fn() };
  render(<Detail detail={detail} now={Date.parse(timeOf(2))} disabled={false} headingLevel={1} {...handlers} />);
}

it('lists what was not stored as sent, as plain text', () => {
  const reason = '"icon" must be an http: or https: address; found "<b>x</b>". Left out.';
  renderDetail([
    { pointer: '/icon', reason },
    { pointer: '/priority', reason: 'Stored as "low".' },
  ]);
  const list = within(screen.getByRole('region', { name: 'Not stored as sent' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    `/icon ${reason}`,
    '/priority Stored as "low".',
  ]);
});

it('shows no list where nothing was changed', () => {
  renderDetail();
  expect(screen.queryByRole('region', { name: 'Not stored as sent' })).toBeNull();
});
