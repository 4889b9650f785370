import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, it } from 'vitest';
import { waitFor } from '@testing-library/react';
import {
  delayed,
  fireEvent,
  httpError,
  render,
  returnToTab,
  screen,
  serveBridge,
  signIn,
  within,
} from '../component.testing';
import SilencesPage from './SilencesPage';
import {
  click,
  HOUR,
  iso,
  names,
  OVER,
  renderPage,
  RULE,
  SILENCE,
  soon,
  type,
  WEEKLY,
  WINDOW,
} from './silences.testing';

beforeEach(() => signIn(['nodebell-notifications-app.inbox:write']));

it('lists silences and windows, the one that ends first on top, and inhibition rules', async () => {
  renderPage({ windows: [WINDOW, WEEKLY, OVER], rules: [RULE] });
  await screen.findByRole('listitem', { name: 'Known noise' });
  expect(names().slice(0, 3)).toEqual(['Known noise', 'New disk 💾', 'Backup']);
  expect(screen.getByRole('listitem', { name: 'Known noise' }).textContent).toMatch(
    /Until.*alertname="Noise".*Silence in Nodebell · by otto · 1 alert silenced/
  );
  expect(screen.getByRole('listitem', { name: 'Backup' }).textContent).toMatch(
    /Starts.*Provisioned by a\.yaml.*Maintenance window · Sun 02:00–05:00 \(Europe\/Berlin\)/
  );
  expect(screen.getByText(/a="1" inhibits b="2" · equal: c · 1 thread not sent · a\.yaml/)).toBeTruthy();
  expect(screen.queryByRole('listitem', { name: 'Router' })).toBeNull();
  click(/Expired \(1\)/);
  expect(await screen.findByRole('listitem', { name: 'Router' })).toBeTruthy();
});

it('shows an error of the bridge, not an empty list', async () => {
  serveBridge((where) => {
    if (where === '/maintenance') {
      throw httpError(500);
    }
    return { alertmanagers: [], silences: [] };
  });
  render(
    <MemoryRouter>
      <SilencesPage bridgeUrl="http://bridge:8080" />
    </MemoryRouter>
  );
  expect(await screen.findByRole('button', { name: 'Retry now' })).toBeTruthy();
  expect(screen.queryByText('Nothing is silenced')).toBeNull();
});

it('extends, ends and deletes a window of the page; not one of a file', async () => {
  const sent = renderPage({ windows: [WINDOW, WEEKLY], rules: [] });
  const row = within(await screen.findByRole('listitem', { name: 'New disk 💾' }));
  fireEvent.click(row.getByRole('button', { name: 'Extend New disk 💾 by 1 h' }));
  const { name, matchers, startsAt } = WINDOW;
  await waitFor(() =>
    expect(sent).toHaveBeenCalledWith('PUT', '/maintenance/w1', {
      ...{ name, matchers, startsAt },
      endsAt: iso(Date.parse(soon) + HOUR),
    })
  );
  fireEvent.click(row.getByRole('button', { name: 'Delete New disk 💾' }));
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(sent).toHaveBeenCalledWith('DELETE', '/maintenance/w1', undefined));
  expect(within(screen.getByRole('listitem', { name: 'Backup' })).queryAllByRole('button')).toEqual([]);
});

it('a Viewer sees the list, without buttons', async () => {
  signIn([]);
  renderPage({ windows: [WINDOW], rules: [] }, '/?add=1');
  await screen.findByRole('listitem', { name: 'New disk 💾' });
  expect(screen.queryAllByRole('button', { name: /Add|Edit|Extend|Delete/ })).toEqual([]);
});

it('a new window: errors at the fields, then it is sent', async () => {
  const sent = renderPage({ windows: [], rules: [] }, '/?add=1');
  fireEvent.click(await screen.findByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/At least one label/)).toBeTruthy();
  expect(screen.getByText(/A name of at most/)).toBeTruthy();
  expect(sent).not.toHaveBeenCalled();
  type(/^Name/, 'New disk');
  type(/^Labels/, 'instance="nas"');
  fireEvent.blur(screen.getByRole('combobox', { name: 'Labels' }));
  type(/^End/, '2000-01-01T00:00');
  click('Save');
  expect(await screen.findByText('A date and time after the start')).toBeTruthy();
  type(/^End/, '2999-01-01T00:00');
  click('Save');
  await waitFor(() =>
    expect(sent).toHaveBeenCalledWith(
      'POST',
      '/maintenance',
      expect.objectContaining({
        name: 'New disk',
        matchers: 'instance="nas"',
        endsAt: expect.stringMatching(/^2999|^2998/),
      })
    )
  );
});

it('a weekly window keeps its bounds, and an error of the bridge is shown at its field', async () => {
  const own = { ...WEEKLY, file: undefined, endsAt: '2999-01-01T00:00:00.000Z' };
  const errors = [{ pointer: '/matchers', found: 'x', allowed: 'y', detail: 'missing closing )' }];
  const sent = renderPage({ windows: [own], rules: [] }, '/?edit=w2', () => {
    const problem = {
      type: 'urn:nodebell:problem:invalid',
      title: 'Invalid',
      status: 400,
      detail: 'Invalid.',
      id: '1',
      errors,
    };
    throw Object.assign(new Error('400'), { status: 400, data: problem });
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Save' }));
  expect((await screen.findAllByText(/missing closing \)/)).length).toBeGreaterThan(0);
  const { name, matchers, endsAt, weekly } = own;
  expect(sent).toHaveBeenCalledWith('PUT', '/maintenance/w2', { name, matchers, endsAt, weekly });
});

function renderSilences(silences: () => unknown, path = '/') {
  serveBridge((where) => {
    if (where.includes('alertmanager/grafana')) {
      throw httpError(404);
    }
    return where === '/maintenance' ? { windows: [], rules: [] } : silences();
  });
  render(
    <MemoryRouter initialEntries={[path]}>
      <SilencesPage bridgeUrl="http://bridge:8080" />
    </MemoryRouter>
  );
}

it('says that nothing is silenced', async () => {
  renderSilences(() => ({ alertmanagers: [], silences: [] }));
  expect(await screen.findByText('Nothing is silenced')).toBeTruthy();
});

it('does not say that nothing is silenced if silences could not be loaded', async () => {
  renderSilences(() => {
    throw httpError(500);
  });
  expect(await screen.findByRole('button', { name: 'Retry now' })).toBeTruthy();
  expect(screen.queryByText('Nothing is silenced')).toBeNull();
});

it('names an Alertmanager that could not be read', async () => {
  renderSilences(() => ({
    alertmanagers: [{ id: 'grafana', name: 'Grafana', reason: 'No network route' }],
    silences: [],
  }));
  expect(await screen.findByText('Grafana: No network route')).toBeTruthy();
});

it('a silence without a comment has its matchers as title, and no link where there is no Grafana', async () => {
  renderSilences(() => ({
    alertmanagers: [{ id: 'grafana', name: 'Grafana' }],
    silences: [{ ...SILENCE, alertmanager: 'grafana', comment: ' ' }],
  }));
  expect(await screen.findByRole('listitem', { name: 'alertname="Noise"' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Open in Grafana' })).toBeNull();
});

it('a link to a window that is gone shows the list, not an empty form', async () => {
  renderSilences(() => ({ alertmanagers: [], silences: [] }), '/?edit=gone');
  expect(await screen.findByText('Nothing is silenced')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});

it('invalid labels are not saved', async () => {
  const sent = renderPage({ windows: [WINDOW], rules: [] }, '/?edit=w1');
  await screen.findByRole('button', { name: 'Save' });
  type(/^Labels/, 'instance="nas2');
  fireEvent.blur(screen.getByRole('combobox', { name: 'Labels' }));
  click('Save');
  expect(await screen.findByText(/At least one label/)).toBeTruthy();
  expect(sent).not.toHaveBeenCalled();
});

it('while a window is saved, its form does not change, and nothing is sent twice', async () => {
  const saving = delayed(WINDOW);
  const sent = renderPage({ windows: [WINDOW], rules: [] }, '/?edit=w1', () => saving.promise);
  fireEvent.click(await screen.findByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveBeenCalledOnce());
  type(/^Name/, 'Another name');
  expect(screen.queryByDisplayValue('Another name')).toBeNull();
  click('Save');
  expect(sent).toHaveBeenCalledOnce();
  await saving.release();
  await screen.findByRole('listitem', { name: 'New disk 💾' });
});

it('the form stays when somebody else deletes its window', async () => {
  let windows = [WINDOW];
  renderPage(() => ({ windows, rules: [] }), '/?edit=w1');
  await screen.findByRole('button', { name: 'Save' });
  type(/^Name/, 'New name');
  windows = [];
  returnToTab();
  // The list was read again.
  await screen.findByDisplayValue('New name');
  click('Cancel');
  expect(await screen.findByRole('listitem', { name: 'Known noise' })).toBeTruthy();
  expect(screen.queryByRole('listitem', { name: 'New disk 💾' })).toBeNull();
});

it('extends what the window is by then, not as it was loaded', async () => {
  let window: typeof WINDOW = WINDOW;
  const sent = renderPage(() => ({ windows: [window], rules: [] }));
  await screen.findByRole('listitem', { name: 'New disk 💾' });
  window = { ...WINDOW, matchers: 'instance="other"' };
  click('Extend New disk 💾 by 1 h');
  await waitFor(() => expect(sent).toHaveBeenCalledOnce());
  expect(sent.mock.lastCall![2]).toMatchObject({ matchers: 'instance="other"', endsAt: iso(Date.parse(soon) + HOUR) });
  window = { ...window, state: 'expired' };
  click('End New disk 💾 now');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'End New disk 💾 now' })).toBeNull());
  expect(sent).toHaveBeenCalledOnce();
});

it('windows are shown while an Alertmanager does not respond', async () => {
  renderPage({ windows: [WINDOW], rules: [] }, '/', () => null, new Promise(() => undefined));
  expect(await screen.findByRole('listitem', { name: 'New disk 💾' })).toBeTruthy();
  expect(screen.getByText('Loading silences…')).toBeTruthy();
});

it('labels that are typed while the window is saved are not shown as if they were, when saving fails', async () => {
  let fail = (): void => undefined;
  const saving = new Promise((_resolve, reject) => (fail = () => reject(httpError(502))));
  renderPage({ windows: [WINDOW], rules: [] }, '/?edit=w1', () => saving);
  fireEvent.click(await screen.findByRole('button', { name: 'Save' }));
  const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Labels' });
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save' }).ariaBusy).toBe('true'));
  fireEvent.change(field(), { target: { value: 'instance="other"' } });
  fireEvent.blur(field());
  fail();
  await screen.findByText('Could not save the maintenance window');
  expect(field().value).toBe(WINDOW.matchers);
});

it('a tab that is shown again reads silences and windows', async () => {
  let silences: object[] = [SILENCE];
  renderPage(
    { windows: [WINDOW], rules: [] },
    '/',
    () => null,
    () => silences
  );
  await screen.findByRole('listitem', { name: 'Known noise' });
  silences = [];
  returnToTab();
  // Before the next poll.
  const timeout = 10_000;
  await waitFor(() => expect(screen.queryByRole('listitem', { name: 'Known noise' })).toBeNull(), { timeout });
});
