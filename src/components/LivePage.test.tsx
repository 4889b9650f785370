import { expect, it, vi } from 'vitest';
import { BridgeError, type BridgeErrorKind } from '../api/errors';
import { fireEvent, render, screen } from '../component.testing';
import { ErrorAlert } from './LivePage';

function renderError(
  kind: BridgeErrorKind,
  status?: number,
  given: { loadedAt?: number; nextTry?: number } = {}
): { onRetry: () => void } {
  const onRetry = vi.fn();
  const { loadedAt, nextTry } = given;
  const error = new BridgeError(kind, 'The message.', status);
  render(<ErrorAlert error={error} bridgeUrl="http://bridge:8080" {...{ loadedAt, nextTry, onRetry }} />);
  return { onRetry };
}

it.each([
  ['unreachable', 502, 'The Nodebell bridge is not responding', 'Grafana cannot reach http://bridge:8080'],
  ['unreachable', undefined, 'Grafana is not responding', 'The connection to Grafana failed.'],
  ['token', 403, 'The bridge rejected the token', 'not the admin token of the bridge'],
  ['role', 403, 'Grafana denied access', 'You are signed out'],
  ['refused', 403, 'The bridge rejected the request', 'The message.'],
  ['invalid', 400, 'The bridge rejected the request', 'The message.'],
  ['failed', 500, 'Internal error in the bridge', 'The message.'],
  ['busy', 503, 'The bridge is busy', 'The message.'],
  ['unexpected', 200, 'Unexpected response', '(status 200)'],
  ['unexpected', undefined, 'Unexpected response', 'http://bridge:8080 is not the bridge of this version of the app.'],
] as const)('%s, status %s', (kind, status, title, text) => {
  renderError(kind, status);
  const alert = screen.getByRole('status', { name: title });
  expect(alert.textContent).toContain(title);
  expect(alert.textContent).toContain(text);
});

it('shows the age of the data and when it retries, and retries on request', () => {
  const { onRetry } = renderError('unreachable', 502, { loadedAt: Date.now(), nextTry: Date.now() + 9500 });
  expect(screen.getByRole('status').textContent).toMatch(/Showing data loaded at .+\. Retrying in (9|10) s\./);
  fireEvent.click(screen.getByRole('button', { name: 'Retry now' }));
  expect(onRetry).toHaveBeenCalledTimes(1);
});

it('without data or a planned retry it mentions neither', () => {
  renderError('token', 403);
  expect(screen.getByRole('status').textContent).not.toMatch(/Showing data|Retrying/);
});
