import { act } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fireEvent, render, screen, serveBridge } from '../component.testing';
import { MatchersField } from './MatchersField';

const NAMES = ['instance', 'severity'];
const VALUES = ['critical', 'warning'];
let asked: string[];
beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  serveBridge((path, request) => {
    const { name, prefix = '' } = (request.params ?? {}) as Record<string, string>;
    const query = new URLSearchParams(path.split('?')[1] ?? '');
    const [of, beginning] = [name ?? query.get('name'), prefix || (query.get('prefix') ?? '')];
    asked.push(`${of ?? ''}:${beginning}`);
    return { texts: (of ? VALUES : NAMES).filter((text) => text.startsWith(beginning)), more: false };
  });
});
afterEach(() => void vi.useRealTimers());

function show(value = '') {
  const onChange = vi.fn();
  const field = (given: string) => <MatchersField value={given} onChange={onChange} />;
  const { rerender } = render(field(value));
  return { onChange, become: (given: string) => rerender(field(given)) };
}
const input = () => screen.getByRole<HTMLInputElement>('combobox');
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
async function type(text: string) {
  fireEvent.change(input(), { target: { value: text } });
  await act(() => vi.advanceTimersByTimeAsync(500));
}
/** The first request loads modules. */
const offered = (...texts: string[]) => vi.waitFor(() => expect(options()).toEqual(texts), { timeout: 10_000 });
const press = (key: string) => fireEvent.keyDown(input(), { key });

it('completes names and values by the keyboard, and applies what is valid', async () => {
  const { onChange } = show();
  await type('sev');
  await offered('severity');
  press('ArrowDown');
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('severity');
  press('Enter');
  expect(input().value).toBe('severity=');
  await offered(...VALUES);
  press('ArrowUp');
  press('Tab');
  expect(input().value).toBe('severity="warning"');
  expect([options(), onChange.mock.calls]).toEqual([[], []]);
  press('Enter');
  expect(onChange.mock.calls).toEqual([['severity="warning"']]);
});

it('requests once after a pause in typing', async () => {
  show();
  fireEvent.change(input(), { target: { value: 's' } });
  fireEvent.change(input(), { target: { value: 'se' } });
  await type('sev');
  await offered('severity');
  expect(asked).toEqual([':sev']);
});

it('offers operators, and options by the pointer', async () => {
  show();
  await type('severity ');
  expect(options()).toEqual(['=', '!=', '=~', '!~']);
  fireEvent.click(screen.getByRole('option', { name: '=~' }));
  expect(input().value).toBe('severity=~');
  await offered(...VALUES);
  press('Escape');
  expect(options()).toEqual([]);
});

it('says what is wrong when the field is left, and applies nothing', async () => {
  const { onChange } = show('a="1"');
  await type('severity="critical');
  expect(screen.queryByText(/^Character/)).toBeNull();
  fireEvent.blur(input());
  expect(screen.getByText(/^Character 10: found .* expected the closing double quote/)).toBeTruthy();
  expect([input().getAttribute('aria-invalid'), onChange.mock.calls]).toEqual(['true', []]);
  await type('');
  fireEvent.blur(input());
  expect([input().getAttribute('aria-invalid'), onChange.mock.calls]).toEqual(['false', [['']]]);
});

it('shows those of a link, also invalid ones, and follows the view', () => {
  const { become } = show('a=');
  expect(screen.getByText(/^Character 3: found the end/)).toBeTruthy();
  become('a="1"');
  expect([input().value, screen.queryByText(/^Character/)]).toEqual(['a="1"', null]);
});
