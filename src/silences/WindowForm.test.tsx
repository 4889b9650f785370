import { fireEvent, waitFor } from '@testing-library/react';
import { setTimeZoneResolver } from '@grafana/data';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { screen, signIn } from '../component.testing';
import { click, renderPage, type, WINDOW } from './silences.testing';

beforeEach(() => signIn(['nodebell-notifications-app.inbox:write']));
afterEach(() => setTimeZoneResolver(() => 'browser'));

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

it('a time that is not changed stays the same moment: in the repeated hour of a time change, with its seconds', async () => {
  setTimeZoneResolver(() => 'Europe/Berlin');
  const window = { ...WINDOW, startsAt: '2030-10-27T01:30:20.000Z', endsAt: '2030-10-27T03:00:00.000Z' };
  const sent = renderPage({ windows: [window], rules: [] }, '/?edit=w1');
  expect(await screen.findByLabelText<HTMLInputElement>(/^Start/)).toMatchObject({ value: '2030-10-27T02:30' });
  type(/^End/, '2030-10-27T05:00');
  click('Save');
  await waitFor(() => expect(sent).toHaveBeenCalledOnce());
  expect(sent.mock.lastCall![2]).toMatchObject({ startsAt: window.startsAt, endsAt: '2030-10-27T04:00:00.000Z' });
});
