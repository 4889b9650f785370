import type { BackendSrvRequest } from '@grafana/runtime';
import { waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { RetentionPolicy, RetentionStatus } from '@nodebell/contract/retention.ts';
import { delayed, fireEvent, httpError, render, screen, serveBridge, within } from '../../component.testing';
import { RetentionSection } from './RetentionSection';

const STATUS: RetentionStatus = {
  policy: {},
  revision: 'r1',
  removed: 0,
  notifications: 200_000,
  databaseBytes: 210_000_000,
  databaseFreeBytes: 12_000_000,
  notificationBytes: 160_000_000,
  day: { notifications: 1200, bytes: 960_000 },
  diskFreeBytes: 10_000_000_000,
  diskFullAt: '2029-03-01T12:00:00.000Z',
  archive: { files: 0, bytes: 0 },
};
const PREVIEW = { removed: 12_345, notifications: 200_000, bytes: 10_000_000, heldByOpenThreads: 7, complete: true };

function renderSection(change: Partial<RetentionStatus> = {}, preview: Partial<typeof PREVIEW> = {}) {
  const state = { ...STATUS, ...change };
  const sent = vi.fn();
  serveBridge((path, { method, data }: BackendSrvRequest) => {
    if (path === '/categories') {
      return [{ category: 'hardware', enabled: true, count: 1, unseen: 0 }];
    }
    if (method !== 'GET') {
      sent(method, path, data);
    }
    if (path === '/retention/preview') {
      return { ...PREVIEW, ...preview };
    }
    return method === 'PUT' ? { ...state, policy: data as RetentionPolicy } : state;
  });
  render(<RetentionSection />);
  return sent;
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

it('shows what the disk is used for', async () => {
  renderSection();
  const use = await screen.findByLabelText('Disk use');
  expect([...use.querySelectorAll('dd')].map(({ textContent }) => textContent)).toEqual([
    '200,000 notifications, about 160 MB',
    '210 MB, of which 12 MB are free for new notifications',
    '1,200 notifications, about 960 kB',
    '10 GB free; full on 1 Mar 2029 at this rate',
    'No files',
    'None since the bridge started',
  ]);
});

it('says why the archive folder cannot be read', async () => {
  renderSection({ archive: undefined, archiveError: "EACCES: permission denied, scandir '/data/archive'" });
  const use = await screen.findByLabelText('Disk use');
  expect(use.textContent).toContain("Folder cannot be read: EACCES: permission denied, scandir '/data/archive'");
});

it('offers a policy, and applies it after a confirmation of what is removed', async () => {
  const sent = renderSection();
  fireEvent.click(await screen.findByRole('button', { name: 'Resolved and read: 90 days' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('Would remove 12,345 of 200,000 notifications now, about 10 MB.');
  expect(dialog.textContent).toContain('7 in open threads are kept.');
  expect(sent).toHaveBeenCalledTimes(1);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Save and remove' }));
  const policy = { rules: [{ olderThan: '90d', read: true }] };
  await waitFor(() => expect(sent).toHaveBeenLastCalledWith('PUT', '/retention?revision=r1', policy));
  expect(await screen.findByRole('group', { name: 'Rule 1' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Resolved and read: 90 days' })).toBeNull();
});

it('saves without a question what removes nothing', async () => {
  const sent = renderSection({}, { removed: 0 });
  const count = await screen.findByLabelText(/Maximum number/);
  fireEvent.change(count, { target: { value: '1,000,000' } });
  fireEvent.click(button('Save'));
  await waitFor(() =>
    expect(sent).toHaveBeenLastCalledWith('PUT', '/retention?revision=r1', { maxNotifications: 1_000_000 })
  );
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('takes no changes while it is saved, since they would be lost', async () => {
  const saving = delayed({ ...STATUS, policy: { maxNotifications: 7 } });
  serveBridge((path, { method }: BackendSrvRequest) =>
    method === 'PUT'
      ? saving.promise
      : path === '/categories'
        ? []
        : path === '/retention/preview'
          ? { ...PREVIEW, removed: 0 }
          : STATUS
  );
  render(<RetentionSection />);
  const count = await screen.findByLabelText<HTMLInputElement>(/Maximum number/);
  fireEvent.change(count, { target: { value: '7' } });
  fireEvent.click(button('Save'));
  await screen.findByRole('button', { name: 'Saving…' });
  fireEvent.change(count, { target: { value: '78' } });
  expect([count.value, screen.getByRole('button', { name: 'Saving…' })]).toEqual(['7', expect.anything()]);
  await saving.release();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Discard changes' })).toBeNull());
});

it('a change of another admin is not overwritten, but loaded on request', async () => {
  const theirs = { ...STATUS, policy: { maxNotifications: 500 }, revision: 'r2', changedBy: 'Ann' };
  let current: RetentionStatus = STATUS;
  const saved = vi.fn();
  serveBridge((path, { method, data }) => {
    if (method === 'PUT' && !path.endsWith(`revision=${current.revision}`)) {
      throw httpError(409);
    }
    if (method === 'PUT') {
      saved(data);
    }
    return path === '/categories' ? [] : path === '/retention/preview' ? { ...PREVIEW, removed: 0 } : current;
  });
  render(<RetentionSection />);
  const count = await screen.findByLabelText<HTMLInputElement>(/Maximum number/);
  fireEvent.change(count, { target: { value: '1000' } });
  current = theirs;
  fireEvent.click(button('Save'));
  const reload = await screen.findByRole('button', { name: 'Load current settings' });
  expect(screen.getByRole('alert').textContent).toContain('your changes are not saved');
  expect(count.value).toBe('1000');
  fireEvent.click(button('Save'));
  await waitFor(() => expect(screen.getByRole('alert')).toBeDefined());
  expect(saved).not.toHaveBeenCalled();

  fireEvent.click(reload);
  expect(screen.queryByRole('alert')).toBeNull();
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/Maximum number/).value).toBe('500'));
  fireEvent.change(screen.getByLabelText(/Maximum number/), { target: { value: '2000' } });
  fireEvent.click(button('Save'));
  await waitFor(() => expect(saved).toHaveBeenCalledWith({ maxNotifications: 2000 }));
});

it('previews without saving', async () => {
  const sent = renderSection({ policy: { maxNotifications: 5 } });
  fireEvent.click(await screen.findByRole('button', { name: 'Preview' }));
  expect((await screen.findByRole('status')).textContent).toMatch(/^Would remove 12,345 of 200,000 notifications now/);
  expect(sent.mock.calls).toEqual([['POST', '/retention/preview', { maxNotifications: 5 }]]);
});

it('a preview of discarded changes is not shown', async () => {
  renderSection({ policy: { maxNotifications: 5 } });
  fireEvent.change(await screen.findByLabelText(/^Maximum number/), { target: { value: '7' } });
  fireEvent.click(button('Preview'));
  expect((await screen.findByRole('status')).textContent).toMatch(/^Would remove/);
  fireEvent.click(button('Discard changes'));
  expect(screen.queryByRole('status')).toBeNull();
});

it('reports what is wrong at its field, and does not save it', async () => {
  renderSection({ policy: { rules: [{ olderThan: '90d' }] } });
  const age = await screen.findByLabelText('Older than');
  fireEvent.change(age, { target: { value: '3 months' } });
  expect(screen.getByRole('alert').textContent).toContain('Enter an age such as 12h, 90d or 52w, or never');
  expect([button('Save').disabled, button('Preview').disabled]).toEqual([true, true]);
  fireEvent.click(button('Discard changes'));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('a provisioned policy can only be read', async () => {
  renderSection({
    file: 'retention.yaml',
    policy: { rules: [{ olderThan: '7d', read: true, priorities: ['low'] }], archive: true },
  });
  expect(await screen.findByText('Provisioned by retention.yaml; it can be changed only there')).toBeDefined();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Rule 1: older than 7d · Read · Informational',
    'Archive before removal',
  ]);
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});

it('says why nothing is removed', async () => {
  renderSection({ error: 'ENOSPC: no space left on device', pausedUntil: '2026-11-29T10:00:00.000Z' });
  expect(await screen.findByText('ENOSPC: no space left on device')).toBeDefined();
  expect(screen.getByText(/^Paused until .*, because an archive was imported$/)).toBeDefined();
});

it('shows an error instead, with a retry', async () => {
  let down = true;
  serveBridge(() => {
    if (down) {
      throw httpError(502);
    }
    return STATUS;
  });
  render(<RetentionSection />);
  const retry = await screen.findByRole('button', { name: 'Retry' });
  down = false;
  fireEvent.click(retry);
  expect(await screen.findByLabelText('Disk use')).toBeDefined();
});
