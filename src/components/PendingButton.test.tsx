import { expect, it, vi } from 'vitest';
import { fireEvent, render, screen } from '../component.testing';
import { FormEnd } from './FormEnd';
import { ModalButtons } from './ModalButtons';

/** Handlers of the button. */
const onClick = vi.fn();
const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());

it.each([
  [
    'of a dialog',
    onClick,
    (pending: boolean) => (
      <ModalButtons onCancel={vi.fn()} {...{ pending, onClick }}>
        Save
      </ModalButtons>
    ),
  ],
  [
    'of a form in a dialog',
    onSubmit,
    (pending: boolean) => (
      <form onSubmit={onSubmit}>
        <ModalButtons onCancel={vi.fn()} pending={pending} type="submit">
          Save
        </ModalButtons>
      </form>
    ),
  ],
  [
    'of a form',
    onSubmit,
    (pending: boolean) => (
      <form onSubmit={onSubmit}>
        <FormEnd save={{ error: null, isPending: pending }} failure="Could not save" onCancel={vi.fn()} />
      </form>
    ),
  ],
])('while its request is in flight, the button %s ignores clicks, but is not disabled', (_, send, element) => {
  send.mockClear();
  const { rerender } = render(element(false));
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  fireEvent.click(save);
  rerender(element(true));
  fireEvent.click(save);
  expect([send.mock.calls.length, save.disabled, save.isConnected]).toEqual([1, false, true]);
});
