import { act } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { render, screen } from '../../component.testing';
import { type ListFocus, useListFocus, useRequestedFocus } from './useVirtualList';

let frames: FrameRequestCallback[] = [];
let focus: ListFocus;
beforeEach(() => {
  frames = [];
  vi.stubGlobal('CSS', { escape: (text: string) => text });
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
});
afterEach(() => void vi.unstubAllGlobals());

function List({ keys }: { keys: string[] }) {
  const ref = useRef<HTMLDivElement>(null);
  focus = useListFocus();
  const items = keys.map((key) => ({ key }));
  useRequestedFocus(focus, items, ref, () => undefined);
  return (
    <div ref={ref}>
      {keys.map((key) => (
        <div key={key} role="row" aria-label={key} data-key={key} tabIndex={-1} onFocus={() => focus.setKey(key)} />
      ))}
    </div>
  );
}
const row = (name: string) => screen.getByRole('row', { name });
const nextFrame = () => act(() => frames.splice(0).forEach((frame) => frame(0)));

it('the requested row gets the focus', () => {
  render(<List keys={['a', 'b']} />);
  act(() => focus.moveTo('b'));
  nextFrame();
  expect(document.activeElement).toBe(row('b'));
});

it('a row that got the focus meanwhile keeps it', () => {
  render(<List keys={['a', 'b']} />);
  act(() => row('a').focus());
  // As the key x does with the row that it selects.
  act(() => focus.moveTo('a'));
  act(() => row('b').focus());
  nextFrame();
  expect([document.activeElement, focus.key]).toEqual([row('b'), 'b']);
});

it('so does one that got it before the requested row was in the list', () => {
  const { rerender } = render(<List keys={['a']} />);
  act(() => focus.moveTo('new'));
  act(() => row('a').focus());
  rerender(<List keys={['new', 'a']} />);
  nextFrame();
  expect(document.activeElement).toBe(row('a'));
});
