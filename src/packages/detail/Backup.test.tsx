import { act } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { fireEvent, render, screen, signIn } from '../../component.testing';
import { aDetail } from '../packages.testing';
import { Backup } from './Backup';

let sent: {
  status: number;
  responseText: string;
  onload: () => void;
  onerror: () => void;
  upload: { onprogress?: (event: object) => void; onerror?: () => void };
  body: Blob;
};

beforeEach(() => {
  signIn(['nodebell-notifications-app.bridge:admin']);
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      upload = {};
      open = vi.fn();
      setRequestHeader = vi.fn();
      send(body: Blob) {
        sent = Object.assign(this as unknown as typeof sent, { body });
      }
    }
  );
});

const choose = (name: string) =>
  fireEvent.change(screen.getByLabelText('Backup file'), { target: { files: [new File(['x'], name)] } });
const answer = (status: number, body: object) =>
  act(async () => {
    Object.assign(sent, { status, responseText: JSON.stringify(body) }).onload();
    await Promise.resolve();
  });

const CHANGED = 'No response to the restore. Files may have been changed.';
const UNCHANGED = 'Could not restore the backup. No files were changed.';

it.each([
  ['after the upload', 2, CHANGED, 'Grafana is not responding.'],
  ['during the upload', 1, UNCHANGED, 'The upload was interrupted.'],
])('without a response %s, says whether files may have been changed', async (_when, loaded, title, reason) => {
  const { facts, ...detail } = aDetail({ backupAvailable: true });
  render(
    <Backup
      detail={{ ...detail, facts: { ...facts, backup: [{ name: 'keys', path: '/keys', service: undefined }] } }}
    />
  );
  choose('old.tar.gz');
  fireEvent.click(await screen.findByRole('button', { name: 'Restore' }));
  await screen.findByText('Uploading: 0 %');
  act(() => sent.upload.onprogress!({ loaded, total: 2 }));
  act(() => {
    if (loaded < 2) {
      sent.upload.onerror?.();
    }
    sent.onerror();
  });
  expect(await screen.findByText(title)).toBeDefined();
  expect(screen.getByText(reason)).toBeDefined();
});

it('restores a backup after a question, with its progress', async () => {
  const detail = aDetail({ backupAvailable: true });
  render(
    <Backup
      detail={{ ...detail, facts: { ...detail.facts, backup: [{ name: 'keys', path: '/keys', service: 'geth' }] } }}
    />
  );
  choose('old.tar.gz');
  expect(await screen.findByText(/“old.tar.gz” will replace the files/)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Restore' }));
  expect(await screen.findByText('Uploading: 0 %')).toBeDefined();
  act(() => sent.upload.onprogress!({ loaded: 1, total: 2 }));
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50');
  await answer(500, {});
  expect(await screen.findByText(UNCHANGED)).toBeDefined();
  choose('new.tar.gz');
  expect(screen.queryByText(UNCHANGED)).toBeNull();
  fireEvent.click(await screen.findByRole('button', { name: 'Restore' }));
  expect(await screen.findByText('Uploading: 0 %')).toBeDefined();
  expect((sent.body as File).name).toBe('new.tar.gz');
  await answer(200, {
    restored: [{ name: 'keys', path: '/keys', from: '/keys' }],
    unknown: [],
    missing: [],
    ...{ dnpName: detail.dnpName, backupVersion: '1.0.0', createdAt: '2026-01-01T00:00:00Z' },
  });
  expect(await screen.findByText('Restored 1 entry from the backup of 1.0.0')).toBeDefined();
});
