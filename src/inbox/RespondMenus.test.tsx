import { act } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { fireEvent, render, screen, signIn, within } from '../component.testing';
import { SnoozeButton } from './RespondMenus';

it.each([
  ['to its button', false],
  ['to no button, if a row has got it meanwhile', true],
])('the dialog for the end of a snooze returns the focus %s', async (_, moved) => {
  signIn(['nodebell-notifications-app.inbox:seen']);
  render(<SnoozeButton disabled={false} own snoozed={undefined} onSnooze={() => undefined} />);
  const row = document.body.appendChild(document.createElement('div'));
  row.setAttribute('role', 'row');
  row.tabIndex = -1;
  const snooze = screen.getByRole('button', { name: 'Snooze' });
  act(() => snooze.focus());
  fireEvent.click(snooze);
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Until a date and time' }));
  const dialog = await screen.findByRole('dialog', { name: 'Snooze until' });
  await vi.waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  const frames: FrameRequestCallback[] = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await act(async () => {
    await Promise.resolve();
    if (moved) {
      row.focus();
    }
  });
  act(() => frames.forEach((frame) => frame(0)));
  expect(document.activeElement).toBe(moved ? row : snooze);
  vi.unstubAllGlobals();
  row.remove();
});
