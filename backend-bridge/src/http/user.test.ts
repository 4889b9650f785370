import { expect, test } from 'vitest';
import { userOf } from './user.ts';

/** As a header arrives in Node. */
const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

test.each<[string, Record<string, string>, string | undefined]>([
  ['nobody', {}, undefined],
  ['the user header', { 'x-grafana-user': 'ada' }, 'ada'],
  ['the context', { 'x-grafana-context': JSON.stringify({ Login: 'ada', Name: 'A' }) }, 'ada'],
  ['the header before the context', { 'x-grafana-user': 'ada', 'x-grafana-context': '{"Login":"bob"}' }, 'ada'],
  ['UTF-8', { 'x-grafana-user': bytes('Zoë') }, 'Zoë'],
  ['UTF-8 in the context', { 'x-grafana-context': bytes('{"Login":"Zoë"}') }, 'Zoë'],
  ['an empty header', { 'x-grafana-user': '  ' }, undefined],
  ['an anonymous user', { 'x-grafana-context': '{"Login":"","IsAnonymous":true}' }, undefined],
  ['a context that is no JSON', { 'x-grafana-context': '{' }, undefined],
  ['a context that is null', { 'x-grafana-context': 'null' }, undefined],
  ['a login that is no text', { 'x-grafana-context': '{"Login":1}' }, undefined],
  ['control characters', { 'x-grafana-context': '{"Login":"a\\u0000\\u001bb"}' }, 'ab'],
  ['half a surrogate pair', { 'x-grafana-context': '{"Login":"a\\ud800"}' }, 'a\ufffd'],
])('%s', (_what, headers, user) => {
  expect(userOf(headers)).toBe(user);
});

test('a long one is cut', () => {
  expect(userOf({ 'x-grafana-user': 'a'.repeat(1000) })).toHaveLength(200);
  expect(userOf({ 'x-grafana-context': JSON.stringify({ Login: 'a'.repeat(1000) }) })).toHaveLength(200);
});
