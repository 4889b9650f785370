import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Delivery } from '@nodebell/contract/delivery.ts';
import { absoluteTime, clockTime } from '../../components/moments';
import { Deliveries } from './Deliveries';

const NOW = Date.parse('2026-11-14T12:10:00Z');
const [SENT, SEEN] = ['2026-11-14T12:03:04.000Z', '2026-11-14T12:05:00.000Z'];
const delivery = (more: Partial<Delivery>): Delivery => ({
  channel: 'phone',
  state: 'sent',
  at: SENT,
  attempts: 0,
  reason: null,
  ...more,
});
const lines = (): Array<string | null> =>
  within(screen.getByRole('list', { name: 'Deliveries' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

test('shows the way of a notification: over its channels, and when it was seen here', () => {
  const deliveries = [delivery({}), delivery({ channel: 'mail', state: 'undelivered', reason: 'unknown recipient' })];
  render(<Deliveries detail={{ deliveries, seenAt: SEEN }} now={NOW} />);
  expect(lines()).toEqual([`phone ${clockTime(SENT)}`, 'mail: not delivered', `Seen here ${clockTime(SEEN)}`]);
  expect(screen.getByTitle('unknown recipient')).toBeTruthy();
  // To the second.
  expect([SENT, SEEN].map((at) => screen.getByTitle(absoluteTime(at)).textContent)).toEqual([
    `phone ${clockTime(SENT)}`,
    `Seen here ${clockTime(SEEN)}`,
  ]);
});

test('steps of an escalation: for whom, who waits, and what reached nobody', () => {
  const deliveries = [
    delivery({ channel: 'on call: database', state: 'skipped', reason: 'Nobody is on call.' }),
    delivery({ channel: 'bob-phone', person: 'bob' }),
    delivery({ channel: 'person: cleo', state: 'held', at: null }),
  ];
  render(<Deliveries detail={{ deliveries }} now={NOW} />);
  expect(lines()).toEqual([
    'whoever is on call in database: reached nobody',
    `bob: bob-phone ${clockTime(SENT)}`,
    'cleo: waiting',
  ]);
});

test('what nobody has seen, and what did not go out', () => {
  const { rerender, container } = render(<Deliveries detail={{ deliveries: [delivery({})] }} now={NOW} />);
  expect(lines()).toEqual([`phone ${clockTime(SENT)}`]);
  rerender(<Deliveries detail={{}} now={NOW} />);
  expect(container.textContent).toBe('');
});
