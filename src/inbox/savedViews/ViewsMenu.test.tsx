import { config } from '@grafana/runtime';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fireEvent, httpError, render, screen, serveBridge, signIn, within } from '../../component.testing';
import { useView } from '../useInbox';
import { writeView } from '../view';
import type { SavedView } from './savedViews';
import { useDefaultView } from './useSavedViews';
import { ViewsMenu } from './ViewsMenu';

/** Grafana's user storage. Undefined: the user has none yet. */
let stored: Record<string, string> | undefined;
/** Status of failing requests, by method. */
let failing: Record<string, number>;
/** The response to a write, if it takes time. */
let held: Promise<unknown> | undefined;
let persons = 0;

beforeEach(() => {
  signIn([]);
  // The library remembers what it has read for each user.
  Object.assign(config.bootData.user, { uid: `person-${++persons}`, id: persons });
  stored = undefined;
  failing = {};
  held = undefined;
  serveBridge((_, { method = 'GET', url, data }) => {
    expect(url).toContain('/user-storage/');
    if (failing[method] !== undefined) {
      throw httpError(failing[method], 'No space left');
    }
    if (method === 'GET' && !stored) {
      throw httpError(404);
    }
    if (method !== 'GET') {
      stored = { ...stored, ...(data as { spec: { data: Record<string, string> } }).spec.data };
      if (held) {
        return held;
      }
    }
    return { spec: { data: stored } };
  });
});

afterEach(() => {
  Object.assign(config.bootData.user, { uid: undefined, id: undefined });
  localStorage.clear();
  vi.unstubAllGlobals();
});

const views = () => JSON.parse(stored?.['inbox-views'] ?? '[]') as SavedView[];
const store = (...list: SavedView[]) => void (stored = { ...stored, 'inbox-views': JSON.stringify(list) });

function Page() {
  const [view, setView] = useView();
  useDefaultView(view, setView);
  return (
    <>
      <output>{writeView(view).toString()}</output>
      <ViewsMenu view={view} setView={setView} narrow={false} />
      <button onClick={() => setView({ q: '' })}>Clear search</button>
      <button onClick={() => setView({ q: 'fan' })}>Search</button>
    </>
  );
}

const open = (search = '') =>
  render(
    <MemoryRouter initialEntries={[`/inbox?${search}`]}>
      <Page />
    </MemoryRouter>
  );

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const hasItem = (item: string) =>
  vi.waitFor(() => {
    const button = screen.getByText(item).closest('button')!;
    expect(button.disabled).toBe(false);
    return button;
  });
async function choose(item: string) {
  press('Views');
  fireEvent.click(await hasItem(item));
}
const nameField = () => screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ });
const closed = () => vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

async function saveAs(name: string) {
  await choose('Save view…');
  await saveNamed(name);
}
async function saveNamed(name: string) {
  fireEvent.change(await nameField(), { target: { value: name } });
  press('Save');
}

it('saves what the page shows, and shows it again', async () => {
  open('tab=open&q=disk&id=7');
  await saveAs('  Disks 💽 ');
  await closed();
  expect(views()).toEqual([{ name: 'Disks 💽', query: 'tab=open&q=disk' }]);
  press('Clear search');
  expect(screen.getByRole('status').textContent).toBe('tab=open&id=7');
  await choose('Disks 💽');
  expect(screen.getByRole('status').textContent).toBe('tab=open&q=disk');
});

it('says that there are none', async () => {
  open('q=disk');
  press('Views');
  expect(screen.getByText('Loading…')).toBeDefined();
  expect(await screen.findByText('No saved views')).toBeDefined();
});

it('says that they could not be loaded, and saves nothing then', async () => {
  failing = { GET: 500 };
  open('q=disk');
  press('Views');
  expect(await screen.findByText('Could not load views')).toBeDefined();
  fireEvent.click(await hasItem('Save view…'));
  await saveNamed('Disks');
  expect(await screen.findByText('Could not save views')).toBeDefined();
  expect(screen.getByText('Grafana rejected the request: No space left')).toBeDefined();
  expect(stored).toBeUndefined();
});

it('says that a view could not be saved', async () => {
  store({ name: 'Other', query: 'q=other' });
  failing = { PATCH: 507 };
  open('q=disk');
  await saveAs('Disks');
  expect(await screen.findByText('Could not save views')).toBeDefined();
});

it('keeps the name as it is while it is saved', async () => {
  store({ name: 'Other', query: 'q=other' });
  const saving = Promise.withResolvers<{ spec: object }>();
  held = saving.promise;
  open('q=disk');
  await saveAs('Disks');
  const field = await nameField();
  await vi.waitFor(() => expect(field.readOnly).toBe(true));
  saving.resolve({ spec: { data: stored } });
  await closed();
});

it('keeps what another tab has saved meanwhile', async () => {
  open('q=disk');
  await saveAs('First');
  await closed();
  store(...views(), { name: 'Other tab', query: 'q=other' });
  await saveAs('Second');
  await closed();
  expect(views().map(({ name }) => name)).toEqual(['First', 'Other tab', 'Second']);
});

it('replaces a view of another tab only after saying so', async () => {
  open('q=disk');
  await choose('Save view…');
  fireEvent.change(await nameField(), { target: { value: 'Disks' } });
  store({ name: 'Disks', query: 'q=other' });
  press('Save');
  expect(await screen.findByText('A view with this name already exists. It will be replaced.')).toBeDefined();
  expect(views()[0]?.query).toBe('q=other');
  press('Replace');
  await closed();
  expect(views()).toEqual([{ name: 'Disks', query: 'q=disk' }]);
});

it('rejects a name of 300 characters', async () => {
  open('q=disk');
  await saveAs('a'.repeat(300));
  expect(screen.getByText('300 characters; at most 100 are allowed.')).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
});

it('renames, deletes and copies a view', async () => {
  const writeText = vi.fn(() => Promise.resolve());
  Object.assign(navigator, { clipboard: { writeText } });
  vi.stubGlobal('isSecureContext', true);
  store({ name: 'Disks', query: 'q=disk' }, { name: 'Fans', query: 'q=fan' });
  open('q=disk');
  await choose('Manage views…');
  const row = async (name: string) => within((await screen.findByText(name)).closest('li')!);
  fireEvent.click((await row('Disks')).getByRole('button', { name: 'Copy link' }));
  expect(writeText).toHaveBeenCalledWith(`${window.location.origin}/a/nodebell-notifications-app/inbox?q=disk`);
  fireEvent.click((await row('Disks')).getByRole('button', { name: 'Rename' }));
  const field = await nameField();
  expect(field.value).toBe('Disks');
  fireEvent.change(field, { target: { value: 'Volumes' } });
  press('Save');
  fireEvent.click((await row('Fans')).getByRole('button', { name: 'Delete Fans' }));
  press('Delete');
  await vi.waitFor(() => expect(views()).toEqual([{ name: 'Volumes', query: 'q=disk' }]));
});

it('opens with the default view, unless the URL has filters', async () => {
  store({ name: 'Disks', query: 'q=disk' });
  const { unmount } = open('q=fan');
  await choose('Manage views…');
  fireEvent.click(await screen.findByRole('button', { name: 'Set as default' }));
  await screen.findByRole('button', { name: 'Remove as default' });
  expect(views()).toEqual([{ name: 'Disks', query: 'q=disk', isDefault: true }]);
  expect(screen.getByRole('status', { hidden: true }).textContent).toBe('q=fan');
  unmount();
  open();
  await vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe('q=disk'));
  press('Clear search');
  expect(screen.getByRole('status').textContent).toBe('');
});

it('does not replace a filter that is chosen before the default view is loaded', async () => {
  store({ name: 'Disks', query: 'q=disk', isDefault: true });
  open();
  press('Search');
  press('Views');
  await hasItem('Disks');
  expect(screen.getByRole('status', { hidden: true }).textContent).toBe('q=fan');
  fireEvent.click(screen.getByText('Clear search'));
  expect(screen.getByRole('status', { hidden: true }).textContent).toBe('');
});

it('shows no default view that is loaded later, after a failure', async () => {
  failing = { GET: 500 };
  open();
  press('Views');
  await screen.findByText('Could not load views');
  fireEvent.click(screen.getByText('Views'));
  store({ name: 'Disks', query: 'q=disk', isDefault: true });
  failing = {};
  fireEvent.click(screen.getByText('Views'));
  await hasItem('Disks');
  fireEvent.click(screen.getByText('Views'));
  await vi.waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(screen.getByRole('status').textContent).toBe('');
});

it('without a login, views are in the browser', async () => {
  signIn([], { signedIn: false });
  failing = { GET: 401 };
  open('q=disk');
  await saveAs('Disks');
  await closed();
  expect(stored).toBeUndefined();
  await choose('Disks');
});
