import { act } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { render } from '../component.testing';
import { type Announcement, useAnnouncer } from './Announcer';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setup() {
  let announce: (announcement: Announcement) => void = () => undefined;
  function Page() {
    const announcer = useAnnouncer();
    ({ announce } = announcer);
    return announcer.regions;
  }
  const { container } = render(<Page />);
  const region = (kind: string) => container.querySelector(`[aria-live=${kind}]`)!;
  return { region, say: (announcement: Announcement) => act(() => announce(announcement)) };
}

it.each([
  ['assertive', true],
  ['polite', false],
] as const)('the same %s text is announced each time', (kind, urgent) => {
  const { region, say } = setup();
  const spoken = () => {
    say({ text: 'Critical: disk full', urgent });
    act(() => void vi.advanceTimersByTime(1000));
    return region(kind).firstChild;
  };
  const first = spoken();
  const second = spoken();
  expect(second?.textContent).toBe('Critical: disk full');
  // A live region is announced when its content changes, so the same text needs a new element.
  expect(second).not.toBe(first);
});
