import { describe, expect, it } from 'vitest';
import { anEndpoint, aPackage, aSwitch, aThreshold } from './thresholds.testing';
import { amount, deliveryLabel, effectSign, originMessage, packageSummary } from './messages';

it.each([
  [80, '%', '80 %'],
  [82.5, '°C', '82.5 °C'],
  [1e-7, undefined, '0.0000001'],
  [10, '', '10'],
])('%d %s: %s', (value, unit, text) => expect(amount(value, unit)).toBe(text));

it('describes category, priority and delivery', () => {
  expect(deliveryLabel(anEndpoint({ priority: 'high', isBanner: true }))).toBe('Hardware, Important, banner');
  expect(deliveryLabel(anEndpoint({ priority: 'urgent', kind: 'custom' }))).toBe(
    'Hardware, urgent, checked by the package itself'
  );
});

describe('summary of a package', () => {
  const off = anEndpoint({ enabled: aSwitch({ value: false }), mutedBy: ['endpoint'] });
  const gnosis = anEndpoint({ category: 'gnosis', mutedBy: ['category'] });
  it.each([
    ['2 endpoints, all on', aPackage()],
    ['1 endpoint, on', aPackage({ endpoints: [anEndpoint()] })],
    ['2 endpoints, 1 on', aPackage({ endpoints: [anEndpoint(), off] })],
    ['2 endpoints, all off', aPackage({ endpoints: [off, off] })],
    ['1 endpoint, off', aPackage({ endpoints: [off] })],
    ['2 endpoints, muted by category Gnosis', aPackage({ endpoints: [gnosis, gnosis] })],
    ['2 endpoints, 1 on', aPackage({ endpoints: [gnosis, anEndpoint()] })],
    ['2 endpoints, muted by the package switch', aPackage({ enabled: aSwitch({ value: false }) })],
    ['No endpoints', aPackage({ endpoints: [] })],
    [
      'No endpoints, muted by the package switch',
      aPackage({ endpoints: [], enabled: aSwitch({ value: false, origin: 'user' }) }),
    ],
  ])('%s', (text, one) => expect(packageSummary(one)).toBe(text));
});

it('shows the origin of a value', () => {
  expect(originMessage(aThreshold())).toBeUndefined();
  expect(originMessage(aThreshold({ origin: 'user', setBy: 'admin' }))).toBe('Set by admin');
  expect(originMessage(aSwitch({ origin: 'provisioned', file: 'settings.yaml' }))).toBe(
    'Read-only: provisioned from settings.yaml'
  );
});

describe('sync state', () => {
  const now = Date.parse('2026-11-21T10:00:00.000Z');
  it.each([
    [{ monitor: 'gatus', state: 'applied' }, 'Gatus applied'],
    [{ monitor: 'prometheus', state: 'read-only', reason: 'No query.' }, 'Prometheus rule read-only: No query.'],
    [
      { monitor: 'grafana', state: 'pending', reason: 'No response.', nextTryAt: '2026-11-21T10:00:07.200Z' },
      'Grafana rule pending: No response. Retrying in 8 s.',
    ],
    [{ monitor: 'gatus', state: 'pending', nextTryAt: '2026-11-21T09:59:00.000Z' }, 'Gatus pending. Retrying now.'],
    [{ monitor: 'gatus', state: 'pending' }, 'Gatus pending'],
  ] as const)('%j', (effect, text) => expect(effectSign(effect, now).text).toBe(text));
});
