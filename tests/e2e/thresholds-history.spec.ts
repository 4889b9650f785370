import type { Page } from '@playwright/test';
import type { Endpoint, EndpointOverview, EndpointPackage } from '../../backend-bridge/contract/endpoint.ts';
import type { EndpointHistory } from '../../backend-bridge/contract/history.ts';
import { expectAccessible } from './support/axe.ts';
import { CPU, DMS, notificationsOf, registerDms } from './support/endpoints.ts';
import { register } from './support/packages.ts';
import { expect, test } from './support/test.ts';
import { Thresholds } from './views/thresholds.ts';

const DAY = 86_400;

/** A day of values from 20 to 89; a threshold was exceeded as many times as it is below 90. */
function historyAt(threshold: number): EndpointHistory {
  const end = Math.floor(Date.now() / 300_000) * 300;
  const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
  return {
    from: iso(end - DAY),
    to: iso(end),
    stepSeconds: 300,
    samples: Array.from({ length: 288 }, (_, index) => [end - (287 - index) * 300, 20 + (index % 70)]),
    threshold,
    fired: Math.max(0, Math.round(90 - threshold)),
    forSeconds: 90,
    checkedSeconds: 60,
    countedFrom: iso(end - 7 * DAY),
  };
}

interface FakeHistory {
  /** Requests: endpoint and threshold. */
  requests: string[];
  /** The response; undefined: the values above. */
  answer: (threshold: number) => { status: number; json: unknown };
}

function endpointsIn(json: EndpointOverview | EndpointPackage | Endpoint): Endpoint[] {
  if ('packages' in json) {
    return json.packages.flatMap(({ endpoints }) => endpoints);
  }
  return 'endpoints' in json ? json.endpoints : [json];
}

/**
 * The bridge of these tests has no Prometheus, so history is added to its responses.
 * @param which endpoints have a history
 */
async function withHistory(page: Page, ...which: string[]): Promise<FakeHistory> {
  const history: FakeHistory = { requests: [], answer: (threshold) => ({ status: 200, json: historyAt(threshold) }) };
  // The overview, a package and a changed endpoint: a change affects all three.
  await page.route(/\/endpoints(\/[^/?]+)?$/, async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as EndpointOverview | EndpointPackage | Endpoint;
    endpointsIn(json).forEach((endpoint) => (endpoint.history = which.includes(endpoint.correlationId)));
    await route.fulfill({ response, json });
  });
  await page.route('**/endpoints/*/history?**', async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    const threshold = Number(searchParams.get('threshold'));
    history.requests.push(`${pathname.split('/').at(-2)} ${threshold}`);
    await route.fulfill(history.answer(threshold));
  });
  return history;
}

test(
  'the last day is drawn under the slider, and alerts are counted while it moves',
  { tag: '@hosts' },
  async ({ page, bridge }) => {
    await registerDms(bridge);
    const history = await withHistory(page, 'dms-cpu');
    const thresholds = new Thresholds(page);
    await thresholds.open();
    const cpu = thresholds.endpoint('dms-cpu');
    await expect(cpu).toContainText('Would have alerted 10 times in the last 7 days.');
    await expect(cpu).toContainText('Last 24 hours: 20 % to 89 %, latest 27 %.');
    const line = cpu.locator('[data-history] svg path').first();
    expect((await line.getAttribute('d'))!.match(/L/g)).toHaveLength(287);
    await expect(thresholds.endpoint('dms-load').locator('[data-history]')).toHaveCount(0);

    const threshold = cpu.locator('[data-history] svg path').last();
    const before = await threshold.getAttribute('d');
    await thresholds.slider('dms-cpu').focus();
    await page.keyboard.down('ArrowRight');
    await expect(cpu).toContainText('Would have alerted 9 times');
    await expect(threshold).not.toHaveAttribute('d', before!);
    await page.keyboard.press('Escape');
    await expect(cpu).toContainText('Would have alerted 10 times');
    await thresholds.field('dms-cpu').fill('95');
    await page.keyboard.press('Enter');
    await expect(cpu).toContainText('Would not have alerted in the last 7 days.');
    expect(history.requests).toEqual(expect.arrayContaining(['dms-cpu 80', 'dms-cpu 81', 'dms-cpu 95']));
  }
);

test('missing data and an unreachable Prometheus are shown', async ({ page, bridge }) => {
  await registerDms(bridge);
  const history = await withHistory(page, 'dms-cpu');
  const problem = {
    type: '/api/v1/problems/no-history',
    title: 'Prometheus gives no history',
    status: 503,
    detail: 'Prometheus: Could not fetch the history at 127.0.0.1:9090: ECONNREFUSED.',
    id: 'x',
    errors: [],
  };
  history.answer = () => ({ status: 503, json: problem });
  const thresholds = new Thresholds(page);
  await thresholds.open();
  const cpu = thresholds.endpoint('dms-cpu');
  await expect(cpu).toContainText(
    'Could not load the history: Prometheus: Could not fetch the history at 127.0.0.1:9090'
  );
  await expect(thresholds.slider('dms-cpu')).toBeEnabled();
  await expectAccessible(page);
  history.answer = (threshold) => {
    const { countedFrom: _from, ...empty } = { ...historyAt(threshold), samples: [], fired: 0 };
    return { status: 200, json: empty };
  };
  await cpu.getByRole('button', { name: 'Retry' }).click();
  await expect(cpu).toContainText('Prometheus has no data for the last 7 days.');
});

test('no history is requested before it is scrolled into view', async ({ page, bridge }) => {
  const many = Array.from({ length: 61 }, (_, index) => ({ ...CPU, id: `cpu-${index}`, title: `CPU ${index}` }));
  await register(bridge, { name: DMS }, { notifications: notificationsOf(...many) });
  const history = await withHistory(page, 'cpu-0', 'cpu-60');
  const thresholds = new Thresholds(page);
  await thresholds.open();
  await expect(thresholds.endpoint('cpu-0')).toContainText('Would have alerted');
  expect([...new Set(history.requests)]).toEqual(['cpu-0 80']);
  await thresholds.endpoint('cpu-60').scrollIntoViewIfNeeded();
  await expect(thresholds.endpoint('cpu-60')).toContainText('Would have alerted');
  expect([...new Set(history.requests)]).toEqual(['cpu-0 80', 'cpu-60 80']);
});

for (const theme of ['dark', 'light'] as const) {
  test(`accessible and within a phone, ${theme}`, async ({ page, bridge }) => {
    await registerDms(bridge);
    await withHistory(page, 'dms-cpu');
    await page.setViewportSize({ width: 390, height: 844 });
    const thresholds = new Thresholds(page);
    await thresholds.open('', { theme });
    await expect(thresholds.endpoint('dms-cpu')).toContainText('Would have alerted');
    const history = thresholds.endpoint('dms-cpu').locator('[data-history]');
    await expect
      .poll(() => history.evaluate((element) => element.getBoundingClientRect().right))
      .toBeLessThanOrEqual(390);
    await expectAccessible(page);
  });
}
