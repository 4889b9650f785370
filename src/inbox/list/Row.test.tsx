import { expect, it, vi } from 'vitest';
import { fireEvent, render, screen } from '../../component.testing';
import { aNotification, timeOf } from '../inbox.testing';
import { Row, type RowProps } from './Row';

const NOW = Date.parse(timeOf(61));

function renderRow(given: Parameters<typeof aNotification>[0], props: Partial<RowProps> = {}) {
  const onSelect = vi.fn();
  const notification = aNotification(given);
  render(
    <Row
      {...{ notification, threads: true, now: NOW, open: false, selected: false, selecting: false, onSelect }}
      {...props}
    />
  );
  return { onSelect, notification };
}

it('shows title, plain text of the body, priority, sender and the number of notifications in the thread', () => {
  renderRow({ id: 1, title: 'Disk full', body: 'Only **4 GB** left', priority: 'critical', thread: { count: 3 } });
  expect(screen.getByText('Disk full')).toBeDefined();
  expect(screen.getByText('Only 4 GB left')).toBeDefined();
  expect(screen.getByText('Critical')).toBeDefined();
  expect(screen.getByTitle('dms.dnp.dappnode.eth').textContent).toBe('dms');
  expect(screen.getByTitle('3 notifications').textContent).toContain('3');
});

it.each([
  ['unread', { unseen: 1 }, true],
  ['read', { unseen: 0 }, false],
])('a thread that is %s', (_, thread, marked) => {
  renderRow({ id: 1, thread });
  expect(screen.queryByText('Unread') !== null).toBe(marked);
});

it.each([
  ['open', { state: 'open', openedAt: timeOf(1) }, /^Open/],
  ['resolved', { state: 'resolved', openedAt: timeOf(1), closedAt: timeOf(2) }, /^Resolved/],
] as const)('shows that a thread is %s', (_, thread, text) => {
  renderRow({ id: 1, thread });
  expect(screen.getByText(text)).toBeDefined();
});

it('an event without a state has neither Open nor Resolved', () => {
  renderRow({ id: 1, thread: { state: 'event' } });
  expect(screen.queryByText(/^(Open|Resolved)/)).toBeNull();
});

it('outside threads the own status of the notification counts', () => {
  renderRow({ id: 1, status: 'resolved', thread: { state: 'open', count: 2 } }, { threads: false });
  expect(screen.getByText('Resolved')).toBeDefined();
  expect(screen.queryByTitle('2 notifications')).toBeNull();
});

it('shows the delivery error in place of the body', () => {
  renderRow({ id: 1, body: 'Body', errors: 'lookup dms.dappnode: no such host' });
  expect(screen.getByText('lookup dms.dappnode: no such host')).toBeDefined();
  expect(screen.queryByText('Body')).toBeNull();
});

it('shows that its category is muted', () => {
  renderRow({ id: 1, muted: true });
  expect(screen.getByText('Muted')).toBeDefined();
});

it.each([
  [false, {}],
  [true, { shiftKey: true }],
])('selects, as a range with the shift key: %s', (range, keys) => {
  const { onSelect, notification } = renderRow({ id: 1 });
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Title 1', hidden: true }), keys);
  expect(onSelect).toHaveBeenCalledExactlyOnceWith(notification, range);
});

it('stands for a burst: source, number, how many are open, the newest, the highest priority', () => {
  const burst = { id: 5, name: 'HighCPU', count: 10_000, open: 9990, unread: 3, priority: 'critical' as const };
  renderRow({ id: 1, title: 'CPU on host 7', thread: { state: 'open', count: 2, burst } });
  expect(screen.getByText('HighCPU: 10,000 alerts')).toBeDefined();
  expect(screen.getByText('9,990 open')).toBeDefined();
  expect(screen.getByText('Newest: CPU on host 7')).toBeDefined();
  expect(screen.getByText('Critical')).toBeDefined();
  expect(screen.getByText('Unread')).toBeDefined();
  expect(screen.queryByTitle('2 notifications')).toBeNull();
});

it('a thread of a burst is a row as any other', () => {
  renderRow({ id: 1, title: 'CPU on host 7', thread: { burst: { id: 5, name: 'HighCPU' } } });
  expect(screen.getByText('CPU on host 7')).toBeDefined();
});

it('shows that a thread is flapping', () => {
  renderRow({ id: 1, thread: { flapping: { turns: 6, since: timeOf(1) } } });
  expect(screen.getByText('Flapping, 6 times in an hour')).toBeDefined();
});

it('shows what people did with the thread', () => {
  const acknowledged = { by: 'anna', at: timeOf(56), comment: 'on it' };
  const snoozed = { until: timeOf(121), for: 'me', by: 'anna' } as const;
  renderRow({
    id: 1,
    dnpName: 'geth.dnp.dappnode.eth',
    thread: { acknowledged, snoozed, assignee: { key: 'k', name: 'Bert' } },
  });
  expect(screen.getByText('geth')).toBeDefined();
  expect(screen.getByText('Acknowledged by anna, 5 min')).toBeDefined();
  expect(screen.getByText(/^Snoozed until/)).toBeDefined();
  expect(screen.getByText('Assigned to Bert')).toBeDefined();
  // The visible text is short; the tooltip and screen readers have it in full.
  expect(screen.getByText('anna').getAttribute('aria-hidden')).toBe('true');
  expect(screen.getByTitle('Acknowledged by anna, 5 min').textContent).toContain('anna');
});

it('is marked when it is back from a snooze, until it is read', () => {
  renderRow({ id: 1, thread: { returnedAt: timeOf(2), unseen: 1 } });
  expect(screen.getByText('Back from snooze')).toBeDefined();
  renderRow({ id: 2, thread: { returnedAt: timeOf(2), unseen: 0 } });
  expect(screen.getAllByText('Back from snooze')).toHaveLength(1);
});
