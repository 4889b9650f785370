/** Observed handling of a link's context in Grafana 12.4 (getReadOnlyProxy in public/app/features/plugins/extensions/utils.tsx). */
import { expect, it } from 'vitest';
import { readOnly } from './readOnly.ts';

it('cannot be changed, at any depth', () => {
  const view = readOnly({ name: 'a', rule: { name: 'b', tags: ['c'] } });
  expect(view).toEqual({ name: 'a', rule: { name: 'b', tags: ['c'] } });
  expect(() => (view.name = 'x')).toThrow(TypeError);
  expect(() => (view.rule.name = 'x')).toThrow(TypeError);
  expect(() => view.rule.tags.push('x')).toThrow(TypeError);
  expect(() => Reflect.deleteProperty(view.rule, 'name') || Object.defineProperty(view, 'x', {})).toThrow(TypeError);
});

it('throws for a member of a frozen object that is an object itself, not for its plain members', () => {
  const view = readOnly({ instance: Object.freeze({ state: 'Alerting', labels: Object.freeze({ a: 'b' }) }) });
  expect(view.instance.state).toBe('Alerting');
  expect(() => view.instance.labels).toThrow(/^'get' on proxy: property 'labels' is a read-only and non-configurable/);
  expect(Object.getOwnPropertyDescriptor(view.instance, 'labels')?.value).toEqual({ a: 'b' });
});
