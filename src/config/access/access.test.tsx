import { setTimeZoneResolver } from '@grafana/data';
import type { BackendSrvRequest } from '@grafana/runtime';
import { waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { AuditEntry } from '@nodebell/contract/audit.ts';
import type { Token } from '@nodebell/contract/token.ts';
import { fireEvent, httpError, render, screen, serveBridge, within } from '../../component.testing';
import { AuditSection } from './AuditSection';
import { TokensSection } from './TokensSection';

afterEach(() => setTimeZoneResolver(() => 'browser'));

const TOKEN: Token = {
  id: 'd50e',
  name: 'backup job',
  packages: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUsedAt: null,
  lastUsedFrom: null,
  previous: null,
  revokedAt: null,
};
const PREVIOUS = {
  validUntil: '2999-01-01T00:00:00.000Z',
  lastUsedAt: '2026-01-02T10:00:00.000Z',
  lastUsedFrom: '10.0.0.7',
};

function renderTokens(tokens: Token[], previous: typeof PREVIOUS | null = null) {
  const sent = vi.fn();
  serveBridge((path, { method, data }: BackendSrvRequest) => {
    if (path === '/admin-token') {
      return { origin: 'file', previous };
    }
    if (method !== 'GET') {
      sent(method, path, data);
      return { ...tokens[0], ...TOKEN, previous: PREVIOUS, token: 'nbs_secret' };
    }
    return tokens;
  });
  render(<TokensSection />);
  return sent;
}

const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

it('shows who still uses an old token; one whose grace period has expired is not shown', async () => {
  const over = { ...PREVIOUS, validUntil: '2020-01-01T00:00:00.000Z' };
  renderTokens([
    { ...TOKEN, previous: PREVIOUS },
    { ...TOKEN, id: 'b', name: 'over', previous: over },
    { ...TOKEN, id: 'c', name: 'of a file', file: 'senders.yaml' },
    { ...TOKEN, id: 'd', name: 'gone', revokedAt: TOKEN.createdAt, previous: PREVIOUS },
  ]);
  const rows = (await screen.findAllByRole('listitem')).map((row) => row.textContent);
  expect(rows[0]).toMatch(/backup job.*Any package.*Not used.*Old token valid until.*2999.*from 10\.0\.0\.7/);
  expect(rows.slice(1).filter((text) => text.includes('Old token'))).toEqual([]);
  expect(rows[2]).toContain('Provisioned by senders.yaml');
  expect(screen.getAllByRole('button', { name: /^Rotate / })).toHaveLength(2);
});

it('creates a token, shows it once, and hides it', async () => {
  const sent = renderTokens([]);
  expect(await screen.findByText('No sender tokens yet.')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: ' backup job ' } });
  fireEvent.change(screen.getByLabelText('Packages'), { target: { value: 'a.eth, b.eth' } });
  click('Create token');
  const shown = await screen.findByRole('region', { name: 'Token' });
  expect(shown.textContent).toBe('nbs_secret');
  expect(sent.mock.calls).toEqual([['POST', '/tokens', { name: 'backup job', packages: ['a.eth', 'b.eth'] }]]);
  click('Close alert');
  expect(screen.queryByText('nbs_secret')).toBeNull();
});

it('rotates with the chosen grace period, and revokes after a confirmation', async () => {
  const sent = renderTokens([TOKEN]);
  fireEvent.click(await screen.findByRole('button', { name: 'Rotate backup job' }));
  const dialog = await screen.findByRole('dialog');
  fireEvent.click(within(dialog).getByLabelText('1 h'));
  fireEvent.click(within(dialog).getByRole('button', { name: 'Rotate' }));
  expect((await screen.findByRole('region', { name: 'Token' })).textContent).toBe('nbs_secret');
  click('Revoke backup job');
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }));
  await waitFor(() =>
    expect(sent.mock.calls).toEqual([
      ['POST', '/tokens/d50e/rotate', { graceHours: 1 }],
      ['DELETE', '/tokens/d50e', undefined],
    ])
  );
});

it('warns while the old admin token is valid', async () => {
  renderTokens([], PREVIOUS);
  expect((await screen.findByText(/The admin token was rotated/)).textContent).toContain('2999');
  expect(screen.getByText(/Configure the new token above.*from 10\.0\.0\.7/)).toBeTruthy();
});

it('shows 50 tokens at first', async () => {
  renderTokens(Array.from({ length: 60 }, (_, index) => ({ ...TOKEN, id: `t${index}` })));
  expect(await screen.findAllByRole('listitem')).toHaveLength(50);
  click('Show all 60 tokens');
  expect(screen.getAllByRole('listitem')).toHaveLength(60);
});

const ENTRY: AuditEntry = {
  id: 9,
  at: '2026-01-02T10:00:00.000Z',
  actor: { kind: 'user', name: 'ada', address: '10.0.0.7' },
  action: 'category.switch',
  object: 'ethereum',
  before: { enabled: true },
  after: { enabled: false },
};

function renderLog(respond: (query: URLSearchParams) => unknown) {
  const asked: string[] = [];
  serveBridge((path) => {
    asked.push(path);
    return respond(new URLSearchParams(path.split('?')[1]));
  });
  const { container } = render(<AuditSection />);
  return { asked, container };
}

it('lists entries, and older ones on request', async () => {
  renderLog((query) =>
    query.get('before') === '9'
      ? { entries: [{ ...ENTRY, id: 3, object: 'older', actor: { kind: 'cli', name: 'admin' } }], next: null }
      : { entries: [ENTRY], next: 9 }
  );
  expect((await screen.findByRole('listitem')).textContent).toMatch(
    /category\.switch ethereum.*ada · 10\.0\.0\.7{"enabled":true} → {"enabled":false}/
  );
  click('Show older entries');
  expect((await screen.findByText(/Command line/)).textContent).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Show older entries' })).toBeNull();
});

it('filters, and exports what is filtered', async () => {
  const { asked, container } = renderLog(() => ({ entries: [], next: null }));
  expect(await screen.findByText('No changes recorded yet.')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Login, token or file'), { target: { value: 'ada' } });
  fireEvent.submit(container.querySelector('form')!);
  expect(await screen.findByText('No entry matches the filter.')).toBeTruthy();
  expect(asked.at(-1)).toBe('/audit?actor=ada&limit=50');
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: /CSV/ });
  expect(link.href).toContain('/audit?actor=ada&format=csv');
  // Without a target, Grafana would open the address as one of its pages.
  expect(link.target).toBe('_self');
});

it('a day begins at midnight in the time zone of the user', async () => {
  setTimeZoneResolver(() => 'Asia/Tokyo');
  const { asked } = renderLog(() => ({ entries: [ENTRY], next: null }));
  fireEvent.change(await screen.findByLabelText('Since'), { target: { value: '2026-11-21' } });
  await waitFor(() => expect(asked.at(-1)).toContain(`from=${encodeURIComponent('2026-11-20T15:00:00.000Z')}`));
  fireEvent.change(screen.getByLabelText('Since'), { target: { value: '' } });
  expect(await screen.findByRole('listitem')).toBeTruthy();
});

it('keeps the entries if older ones cannot be loaded, and shows an error', async () => {
  let down = true;
  renderLog((query) => {
    if (query.has('before') && down) {
      throw httpError(502);
    }
    return query.has('before') ? { entries: [{ ...ENTRY, id: 3 }], next: null } : { entries: [ENTRY], next: 9 };
  });
  await screen.findByRole('listitem');
  click('Show older entries');
  expect(await screen.findByText('Could not load')).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  down = false;
  click('Show older entries');
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(2));
  expect(screen.queryByText('Could not load')).toBeNull();
});

it('reports an error, and retries', async () => {
  let down = true;
  renderLog(() => {
    if (down) {
      throw httpError(502);
    }
    return { entries: [ENTRY], next: null };
  });
  await screen.findByText('Could not load');
  down = false;
  click('Retry');
  expect(await screen.findByText('ethereum', { exact: false })).toBeTruthy();
});
