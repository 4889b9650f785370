import { beforeEach, expect, it, vi } from 'vitest';
import { hasContactPoint } from './grafanaAlerting';

const { answers, asked } = vi.hoisted(() => ({ answers: new Map<string, unknown>(), asked: [] as string[] }));

vi.mock('@grafana/runtime', () => ({ config: { namespace: 'org-2' } }));
vi.mock('./grafana', () => ({
  requestGrafana: (url: string) => {
    asked.push(url);
    return answers.has(url) ? Promise.resolve({ data: answers.get(url) }) : Promise.reject(new Error('410'));
  },
}));

const BEFORE = '/api/v1/notifications/receivers';
const NOW = '/apis/notifications.alerting.grafana.app/v1beta1/namespaces/org-2/receivers';

beforeEach(() => {
  answers.clear();
  asked.length = 0;
});

it('finds a contact point where Grafana 12.4 tells of them', async () => {
  answers.set(BEFORE, [{ name: 'grafana-default-email' }, { name: 'Nodebell' }]);
  expect([await hasContactPoint('Nodebell'), await hasContactPoint('Other')]).toEqual([true, false]);
  expect(asked).toEqual([BEFORE, BEFORE]);
});

it('finds it where later releases do', async () => {
  answers.set(NOW, { items: [{ spec: { title: 'Nodebell' } }, {}] });
  expect([await hasContactPoint('Nodebell'), await hasContactPoint('Other')]).toEqual([true, false]);
});

it('finds none where Grafana does not tell, or answers something else', async () => {
  expect(await hasContactPoint('Nodebell')).toBe(false);
  answers.set(BEFORE, 'something else');
  answers.set(NOW, {});
  expect(await hasContactPoint('Nodebell')).toBe(false);
});
