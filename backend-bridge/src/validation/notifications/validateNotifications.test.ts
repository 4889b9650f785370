import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALERT, type Changes, CUSTOM, ENDPOINT, validateEndpoint, short } from './notificationsFile.testing.ts';
import type { Dialect } from '../../../contract/finding.ts';
import { validateNotifications } from './validateNotifications.ts';

describe('a valid file', () => {
  test('has no findings', () => {
    const { findings, endpoints, customEndpoints } = validateEndpoint(
      { callToAction: { title: 'Look', url: 'http://dms.dappnode' } },
      { customEndpoints: [CUSTOM] }
    );
    expect(findings).toEqual([]);
    expect(endpoints).toEqual([
      {
        correlationId: 'dms-cpu',
        name: 'CPU',
        enabled: true,
        group: 'hardware',
        url: ENDPOINT.url,
        method: 'GET',
        headers: {},
        interval: '30s',
        conditions: ENDPOINT.conditions,
        condition: expect.objectContaining({ number: expect.objectContaining({ value: 80 }) as unknown }) as unknown,
        metric: { min: 0, max: 100, unit: '%' },
        title: 'CPU usage',
        description: 'When it is **high**.',
        priority: 'medium',
        isBanner: false,
        callToAction: { title: 'Look', url: 'http://dms.dappnode' },
        alerts: [
          {
            type: 'custom',
            enabled: true,
            description: ALERT.description,
            failureThreshold: 2,
            successThreshold: 1,
            sendOnResolved: true,
          },
        ],
        extra: {},
        pointer: '/endpoints/0',
      },
    ]);
    expect(customEndpoints).toEqual([{ ...CUSTOM, pointer: '/customEndpoints/0' }]);
  });

  test('may be JSON', () => {
    expect(validateNotifications(JSON.stringify({ endpoints: [ENDPOINT] }, null, '\t'))).toEqual(
      expect.objectContaining({ findings: [], endpoints: validateEndpoint({}).endpoints })
    );
  });
});

describe('deviations in real files are accepted with a finding', () => {
  test.each<[string, Changes, string[], object]>([
    ['isBanner as a string', { isBanner: 'true' }, ['warning member-type /endpoints/0/isBanner'], { isBanner: true }],
    ['off for false', { enabled: 'off' }, ['warning member-type /endpoints/0/enabled'], { enabled: false }],
    [
      'numbers with a semicolon',
      { metric: { min: '0;', max: '100;', unit: '%' } },
      ['warning member-type /endpoints/0/metric/min', 'warning member-type /endpoints/0/metric/max'],
      { metric: { min: 0, max: 100, unit: '%' } },
    ],
    [
      'body and headers',
      { method: 'POST', body: '{"id": 1}', headers: { 'X-A': 'b', 'X-N': 5 } },
      [],
      { body: '{"id": 1}', headers: { 'X-A': 'b', 'X-N': '5' } },
    ],
    [
      'the deprecated name of correlationId',
      { correlationId: undefined, 'correlation-id': 'dms-cpu' },
      ['warning correlation-id-format /endpoints/0/correlation-id'],
      { correlationId: 'dms-cpu' },
    ],
    ["Gatus' own members", { 'extra-labels': { a: 'b' } }, [], { extra: { 'extra-labels': { a: 'b' } } }],
    [
      'an unknown member',
      { metrics: true },
      ['warning member-unknown /endpoints/0/metrics'],
      { extra: { metrics: true } },
    ],
    [
      'a priority in capitals',
      { priority: 'HIGH' },
      ['warning member-value /endpoints/0/priority'],
      { priority: 'high' },
    ],
    [
      'an underscore in correlationId',
      { correlationId: 'missing_log' },
      ['warning correlation-id-format /endpoints/0/correlationId'],
      { correlationId: 'missing_log' },
    ],
    ['a group with a space', { group: 'my group' }, ['warning member-value /endpoints/0/group'], { group: 'my group' }],
    ['milliseconds', { interval: '500ms' }, ['warning member-value /endpoints/0/interval'], { interval: '500ms' }],
    ['whitespace after the URL', { url: `${ENDPOINT.url} ` }, [], { url: ENDPOINT.url }],
    [
      'whitespace before the URL',
      { url: ` ${ENDPOINT.url}` },
      ['warning refused-by-dappnode /endpoints/0/url'],
      { url: ENDPOINT.url },
    ],
    [
      'an unsupported URL scheme',
      { url: 'tcp://a:1' },
      ['warning member-value /endpoints/0/url'],
      { url: 'tcp://a:1' },
    ],
    ['an unsupported method', { method: 'PATCH' }, ['warning member-value /endpoints/0/method'], { method: 'PATCH' }],
    ['no alert', { alerts: [] }, ['warning alerts-count /endpoints/0/alerts'], { alerts: [] }],
    ['two alerts', { alerts: [ALERT, ALERT] }, ['warning alerts-count /endpoints/0/alerts'], {}],
    [
      'a fractional failure-threshold',
      { alerts: [{ ...ALERT, 'failure-threshold': 0.5 }] },
      ['warning member-value /endpoints/0/alerts/0/failure-threshold'],
      { alerts: [expect.objectContaining({ failureThreshold: 3 })] },
    ],
    [
      'an alert of another type',
      { alerts: [{ ...ALERT, type: 'slack' }] },
      ['warning member-value /endpoints/0/alerts/0/type'],
      {},
    ],
    [
      'requirements and headers of another type',
      { requirements: { pkgsInstalled: ['a'] }, headers: ['x'] },
      ['warning member-type /endpoints/0/requirements/pkgsInstalled', 'warning member-type /endpoints/0/headers'],
      { headers: {}, requirements: { pkgsInstalled: {}, pkgsNotInstalled: [] } },
    ],
    [
      'an unsafe link',
      { callToAction: { title: 'x', url: 'javascript:alert(1)' } },
      ['warning link-unsafe /endpoints/0/callToAction/url'],
      {},
    ],
    [
      'a link without a title',
      { callToAction: { url: '/x' } },
      ['warning member-missing /endpoints/0/callToAction'],
      {},
    ],
    [
      'requirements',
      {
        requirements: {
          pkgsInstalled: { 'a.dnp.dappnode.eth': '>=1.0.0', 'b.eth': 'newest' },
          pkgsNotInstalled: ['c.public.dappnode.eth'],
        },
      },
      [
        'warning member-value /endpoints/0/requirements/pkgsInstalled/b.eth',
        'warning member-value /endpoints/0/requirements/pkgsInstalled/b.eth',
      ],
      {
        requirements: {
          pkgsInstalled: { 'a.dnp.dappnode.eth': '>=1.0.0', 'b.eth': 'newest' },
          pkgsNotInstalled: ['c.public.dappnode.eth'],
        },
      },
    ],
  ])('%s', (_, changes, findings, read) => {
    const validated = validateEndpoint(changes);
    expect(validated.findings.map(short)).toEqual(findings);
    expect(validated.endpoints).toEqual([expect.objectContaining(read)]);
  });

  test.each(Object.keys(ENDPOINT).filter((name) => !['correlationId', 'conditions', 'metric'].includes(name)))(
    'an endpoint without %s is used',
    (name) => {
      const { findings, endpoints } = validateEndpoint({ [name]: undefined });
      expect(findings.map(({ rule, title }) => [rule, title])).toEqual([
        ['member-missing', `DAppNode rejects this: ${name} is missing`],
      ]);
      expect(endpoints).toHaveLength(1);
    }
  );
});

describe('the file', () => {
  test.each([
    ['nothing', '', 'error file-shape '],
    ['a list', '- a\n', 'error file-shape '],
    ['no list', 'endpoints: {}\n', 'error file-shape /endpoints'],
    ['no mappings', 'endpoints: [5]\n', 'error file-shape /endpoints/0'],
    ['neither list', '$schema: x\n', 'warning file-empty '],
    ['an empty list member', 'endpoints:\ncustomEndpoints: []\n', 'warning refused-by-dappnode /endpoints'],
    ['broken', 'endpoints: [\n', 'error yaml-syntax '],
    ['an unknown member', 'endpoint: []\nendpoints: []\n', 'warning member-unknown /endpoint'],
  ])('%s', (_, text, finding) => expect(validateNotifications(text).findings.map(short)).toEqual([finding]));

  test('a correlationId must be unique across both lists', () => {
    const { findings, endpoints, customEndpoints } = validateEndpoint(
      {},
      { customEndpoints: [{ ...CUSTOM, correlationId: 'dms-cpu' }] }
    );
    expect(findings.map(short)).toEqual(['error correlation-id-duplicate /customEndpoints/0/correlationId']);
    expect([endpoints.length, customEndpoints.length]).toEqual([1, 0]);
  });

  test('a finding has position, value and expected value', () => {
    const text = 'endpoints:\n  - correlationId: dms-cpu\n    isBanner: "false"\n    conditions: ["[BODY].x>1"]\n';
    const [finding] = validateNotifications(text).findings.filter(({ rule }) => rule === 'member-type');
    expect(finding).toEqual({
      rule: 'member-type',
      verdict: 'warning',
      title: 'isBanner is not true or false',
      detail: 'Endpoint “dms-cpu”: found “false”. Expected true or false, without quotes; it is read as false.',
      file: 'notifications',
      pointer: '/endpoints/0/isBanner',
      line: 3,
      column: 15,
      endLine: 3,
      endColumn: 22,
    });
  });

  test('findings are limited to 1,000, errors first', () => {
    const members = Array.from({ length: 5000 }, (_, index) => `m${index}: 1\n`).join('');
    const { findings } = validateNotifications(`${members}endpoints: 5\n`);
    expect(findings).toHaveLength(1000);
    expect([findings[1]?.title, findings.at(-1)?.rule]).toEqual(['4002 more findings', 'file-shape']);
    const { findings: errors } = validateNotifications(`endpoints: [${'5, '.repeat(5000)}]\n`);
    expect([errors.length, errors[0]?.rule]).toEqual([1000, 'more-findings']);
  });

  test('$schema is allowed', () => {
    expect(validateNotifications('$schema: x\nendpoints: []\n').findings).toEqual([]);
  });

  test('a misspelled member has a suggestion', () => {
    const { findings } = validateEndpoint({ prioriti: 'high' });
    expect(findings.map(({ detail }) => detail)).toEqual([
      'Endpoint “dms-cpu”: Did you mean priority? It has no effect.',
    ]);
  });
});

test('any input is validated, with positions inside the text', () => {
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(...ENDPOINT.conditions, '0;', 'true', -1, null, [])
  );
  const names = fc.constantFrom(...Object.keys(ENDPOINT), 'callToAction', 'requirements', '__proto__', 'constructor');
  const mutated = fc.array(fc.tuple(names, anything), { maxLength: 6 });
  fc.assert(
    fc.property(mutated, fc.boolean(), (changes, custom) => {
      const entry = { ...(custom ? CUSTOM : ENDPOINT), ...Object.fromEntries(changes) };
      const text = JSON.stringify(custom ? { customEndpoints: [entry] } : { endpoints: [entry] }, null, 2);
      const lines = text.split('\n');
      const { findings, endpoints, customEndpoints } = validateNotifications(text);
      for (const { line, column, endLine, endColumn } of findings) {
        expect(endLine).toBeGreaterThanOrEqual(line);
        expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? -1) + 1);
        expect(endColumn).toBeLessThanOrEqual((lines[endLine - 1]?.length ?? -1) + 1);
      }
      const refused = findings.some(({ verdict }) => verdict === 'error');
      expect(endpoints.length + customEndpoints.length).toBe(refused ? 0 : 1);
    })
  );
});

describe('the dialects', () => {
  const found = (changes: Changes, dialect: Dialect): string[] =>
    validateNotifications(JSON.stringify({ endpoints: [{ ...ENDPOINT, ...changes }] }), dialect).findings.map(short);

  test.each<[string, Changes, string]>([
    ['isBanner is missing', { isBanner: undefined }, 'member-missing /endpoints/0'],
    ['metric is null', { metric: null }, 'refused-by-dappnode /endpoints/0/metric'],
    [
      'a requirement has the range 1.x',
      { requirements: { pkgsInstalled: { 'a.dnp.dappnode.eth': '1.x' } } },
      'refused-by-dappnode /endpoints/0/requirements/pkgsInstalled/a.dnp.dappnode.eth',
    ],
    ['isBanner is not a boolean', { isBanner: 'no' }, 'member-type /endpoints/0/isBanner'],
    ['there are two alerts', { alerts: [ALERT, ALERT] }, 'alerts-count /endpoints/0/alerts'],
    ['the interval has another unit', { interval: '500ms' }, 'member-value /endpoints/0/interval'],
  ])('DAppNode rejects it if %s', (_, changes, finding) => {
    expect(found(changes, 'dappnode')).toEqual([`error ${finding}`]);
    expect(found(changes, 'any')).toEqual([`warning ${finding}`]);
    expect(found(changes, 'spec').filter((one) => one.startsWith('error'))).toEqual([]);
  });

  test('what DAppNode accepts is no error, even if it cannot be used', () => {
    const changes = { metric: { min: 2, max: 1 } };
    expect(found(changes, 'dappnode')).toEqual(['warning metric-range /endpoints/0/metric']);
    expect(found(changes, 'any')).toEqual(['error metric-range /endpoints/0/metric']);
    expect(found({ isBanner: 'false' }, 'dappnode')).toEqual(['warning member-type /endpoints/0/isBanner']);
  });

  test('DAppNode rejects duplicate keys and several documents', () => {
    const rules = (text: string) => validateNotifications(text, 'dappnode').findings.map(short);
    expect(rules('endpoints: []\nendpoints: []\n')).toEqual(['error yaml-duplicate ']);
    expect(rules('endpoints: []\n---\na: 1\n')).toEqual(['error yaml-documents ']);
  });
});

test.each(['', '# nothing\n', 'null', 'text'])(
  'a file without content is an error in each dialect, as in DAppNode’s tool: %j',
  (text) => {
    for (const dialect of ['dappnode', 'spec', 'any'] as const) {
      const { findings } = validateNotifications(text, dialect);
      expect(findings.map(({ rule, verdict }) => `${verdict} ${rule}`)).toEqual(['error file-shape']);
    }
  }
);
