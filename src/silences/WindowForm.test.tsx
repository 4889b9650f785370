import { fireEvent, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { screen, signIn } from '../component.testing';
import { renderPage, type, WINDOW } from './silences.testing';

beforeEach(() => signIn(['nodebell-notifications-app.inbox:write']));

it('nothing moves when Save is pressed: messages about labels change while typing, and by the click', async () => {
  const sent = renderPage({ windows: [WINDOW], rules: [] }, '/?edit=w1');
  const save = await screen.findByRole('button', { name: 'Save' });
  const field = screen.getByRole('combobox', { name: 'Labels' });
  const press = () => {
    const before = document.body.textContent;
    fireEvent.blur(field, { relatedTarget: save });
    expect(document.body.textContent).toBe(before);
    fireEvent.click(save);
  };
  type(/^Labels/, 'instance="nas2');
  press();
  expect(screen.getByText(/^Character .* expected the closing double quote/)).toBeTruthy();
  expect([field.getAttribute('aria-invalid'), sent.mock.calls]).toEqual(['true', []]);
  type(/^Labels/, ' instance="nas2" ');
  press();
  await waitFor(() => expect(sent).toHaveBeenCalledOnce());
  expect(sent.mock.lastCall![2]).toMatchObject({ matchers: 'instance="nas2"' });
});
