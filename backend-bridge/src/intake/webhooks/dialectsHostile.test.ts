/** No request makes an adapter fail: it is read into what can be stored, or rejected with an error that says where. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ONCALL_TYPES } from '../../../contract/foreignApis.ts';
import { payloadSchema } from '../../../contract/notification.ts';
import { findBadText } from '../../../contract/text.ts';
import { fitIncoming } from '../../inbox/notifications/fit.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { complete } from '../../platform/runtime/steps.ts';
import type { Posted } from './dialect.ts';
import { dialectsOf } from './dialects.ts';
import { fixture } from './webhookFixtures.testing.ts';

const DIALECTS = dialectsOf(undefined);
const EXAMPLES: unknown[] = [
  ...['uptime-kuma-down', 'pagerduty-trigger', 'oncall-formatted', 'oncall-legacy-grafana', 'grafana-firing'].map(
    (name) => fixture(`${name}.json`)
  ),
  { topic: 't', message: 'm', title: 'x', tags: ['a'], priority: 3, click: 'https://x.example.org', sequence_id: 's' },
  { title: 't', message: 'm', priority: 5, extras: { 'client::notification': { click: { url: 'https://x' } } } },
  { id: '1', value: '1', name: 'n', severity: 'High', host: 'h', text: 't', url: 'https://x.example.org' },
  { specversion: '1.0', id: 'i', source: 's', type: 't', subject: 'u', data: { title: 'x', labels: { a: 'b' } } },
];

const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '\0',
    '\uD800',
    '```',
    '__proto__',
    'constructor',
    'toString',
    '=?UTF-8?B?//8=?=',
    '=?x?q?=ZZ?=',
    '%zz',
    'a'.repeat(5000)
  )
);
const hostile = fc.oneof(fc.jsonValue({ maxDepth: 3 }), hostileText, fc.constantFrom(null, [], {}, -1, 1e308, true));

/** An example of which a member, at any depth, is something else. */
const changed = fc
  .record({
    example: fc.constantFrom(...EXAMPLES),
    at: fc.array(fc.nat(40), { minLength: 1, maxLength: 3 }),
    value: hostile,
  })
  .map(({ example, at, value }) => {
    const copy = structuredClone(example) as Record<string, unknown>;
    let holder = copy;
    for (const [depth, index] of at.entries()) {
      const names = Object.keys(holder);
      const name = names[index % names.length];
      const next = name === undefined ? undefined : holder[name];
      if (name !== undefined && (depth === at.length - 1 || typeof next !== 'object' || next === null)) {
        Object.defineProperty(holder, name, { value, enumerable: true });
        break;
      }
      holder = (next ?? {}) as Record<string, unknown>;
    }
    return JSON.stringify(copy);
  });
const body = fc.oneof(
  changed,
  hostile.map((value) => JSON.stringify(value)),
  hostileText
);

const HEADERS = [
  'x-title',
  'priority',
  'tags',
  'click',
  'x-sequence-id',
  'ce-specversion',
  'ce-id',
  'ce-source',
  'ce-type',
];
const posted: fc.Arbitrary<Posted> = fc
  .record({
    text: body,
    form: fc.option(fc.dictionary(fc.constantFrom('message', 'title', 'priority'), hostileText), { nil: undefined }),
    type: fc.constantFrom(...ONCALL_TYPES, 'other'),
    headers: fc.dictionary(fc.constantFrom(...HEADERS), fc.oneof(fc.constant('1.0'), hostileText)),
    contentType: fc.constantFrom('application/json', 'application/cloudevents-batch+json', 'text/plain'),
  })
  .map(({ text, form, type, headers, contentType }) => ({
    text,
    form,
    params: { type, key: 'k', topic: 'topic' },
    query: new URLSearchParams(),
    header: (name) => (name === 'content-type' ? contentType : headers[name]),
    newId: () => 'new',
  }));

it.each(Object.entries(DIALECTS))('%s', (_name, dialect) => {
  fc.assert(
    fc.property(posted, (request) => {
      try {
        const read = complete(dialect.read(request));
        if (!read.ok) {
          expect(read.errors.length).toBeGreaterThan(0);
          return;
        }
        for (const { incoming } of read.value.alerts) {
          const { payload } = fitIncoming(incoming, () => undefined);
          expect(payloadSchema.safeParse(payload).error?.issues).toBeUndefined();
          expect(findBadText(payload)).toEqual([]);
        }
        const received = read.value.alerts.map((_alert, id) => ({
          outcome: 'gone' as const,
          id,
          notification: undefined,
        }));
        dialect.reply?.({ posted: request, group: read.value, received, receivedAt: 0 });
      } catch (error) {
        expect(error).toBeInstanceOf(HttpProblem);
      }
    }),
    { numRuns: 300 }
  );
});
