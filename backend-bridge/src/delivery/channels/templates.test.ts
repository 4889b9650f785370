/** Rendering of templates: what they show, and what a hostile one cannot do. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import type { Message } from './kinds/channel.ts';
import { linesOf, titleOf } from './kinds/text.ts';
import { type Details, Renderer, templateErrors } from './templates.ts';

const MESSAGE: Message = {
  id: 7,
  timestamp: '2026-01-02T03:04:05.000Z',
  title: 'Disk full',
  body: '/var is full',
  category: 'hardware',
  dnpName: 'nas',
  priority: 'critical',
  status: 'triggered',
  correlationId: 'disk',
  key: 'nb-1',
  ref: undefined,
};
const DETAILS: Details = { labels: { instance: 'nas:9100', 'a.b': 'dotted' }, node: '' };

const render = (bodyTemplate: string, message: Partial<Message> = {}, details: Partial<Details> = {}) => {
  const result = new Renderer({ bodyTemplate }).apply({ ...MESSAGE, ...message }, { ...DETAILS, ...details });
  return result.warning ?? result.message.rendered?.body;
};

test.each<[string, string | undefined, Partial<Message>?, Partial<Details>?]>([
  ['{{ priority | upcase }}: {{ title }} ({{ status }})', 'CRITICAL: Disk full (triggered)'],
  ['{{ package }}/{{ category }} {{ correlationId }}', 'nas/hardware disk'],
  ['{{ labels.instance }}, {{ labels["a.b"] }}, {{ labels.none }}.', 'nas:9100, dotted, .'],
  ['{% for label in labels %}{{ label[0] }}={{ label[1] }};{% endfor %}', 'instance=nas:9100;a.b=dotted;'],
  ['{% if node %}{{ node }}{% else %}here{% endif %}', 'here'],
  ['{% if node %}{{ node }}{% else %}here{% endif %}', 'attic', {}, { node: 'attic' }],
  ['{% if lasted %}{{ lasted }}{% endif %}', undefined],
  ['{% if lasted %}{{ lasted }}{% endif %}', '1 min 5 s', { lastedMs: 65_000 }],
  [
    '{{ callToAction.title }} {{ callToAction.url }}',
    'Open https://x.org',
    { callToAction: { title: 'Open', url: 'https://x.org' } },
  ],
  ['{{ callToAction.url }}', undefined, { callToAction: { title: 'Open', url: 'javascript:alert(1)' } }],
  ['{{ timestamp | date: "%H:%M", "Europe/Berlin" }}', '04:04'],
  ['{{ body | split: "" | size }} {{ body | truncate: 6 }}', '12 /va...'],
  ['{{ title | url_encode }} {{ title | default: "x" }}', 'Disk+full Disk full'],
  ['\n\n{{ title }}\n{{ body }}\n', 'Disk full\n/var is full'],
  ['a{{ "%00%1b%0a" | url_decode }}b', 'a\nb'],
  ['<b>{{ title }}</b> @everyone', '<b>Disk <i></b> @everyone', { title: 'Disk <i>' }],
])('%s shows %j', (template, expected, message, details) => {
  expect(render(template, message, details)).toBe(expected);
});

test('title and text of a message are those of the templates; an empty result leaves the standard text', () => {
  const renderer = new Renderer({ titleTemplate: 'A\n{{ title }}', bodyTemplate: '{{ labels.none }}' });
  const { message, warning } = renderer.apply(MESSAGE, DETAILS);
  expect(warning).toBeNull();
  expect(titleOf(message)).toBe('A Disk full');
  expect(linesOf(message)).toEqual(linesOf(MESSAGE));
});

test.each([
  ['{{ title', 'line 1, column 1: output "{{ title" not closed'],
  ['ok\n  {% if title %}x', 'line 2, column 3: tag {% if title %} not closed'],
  ['{% include "/etc/passwd" %}', 'line 1, column 1: tag "include" not found'],
  ['{% render "x" %}', 'line 1, column 1: tag "render" not found'],
  ['{% layout "x" %}', 'line 1, column 1: tag "layout" not found'],
  ['{% block x %}{% endblock %}', 'line 1, column 1: tag "block" not found'],
  ['{{ title | shout }}', 'line 1, column 1: undefined filter: shout'],
  ['{{ labels | find_exp: "x", "x" }}', 'line 1, column 1: undefined filter: find_exp'],
])('the syntax error of %j has its position', (titleTemplate, detail) => {
  expect(templateErrors({ titleTemplate })).toMatchObject([
    { member: 'titleTemplate', pointer: '/titleTemplate', detail: `Invalid template: ${detail}.` },
  ]);
});

const LONG = '%'.repeat(LIMITS.channelText.value);
describe('a hostile template', () => {
  test.each([
    [
      'prototypes',
      '{{ labels.constructor }}{{ constructor }}{{ title.constructor }}{{ labels.__proto__ }}{{ toString }}',
    ],
    ['prototypes in brackets', '{{ labels["__proto__"]["constructor"] }}{{ labels["toString"] }}'],
    ['functions of texts', '{{ title.repeat }}{{ body.at }}'],
  ])('sees no %s', (_name, template) => {
    expect(render(template)).toBeUndefined();
  });

  test.each([
    ['a long range', '{% for i in (1..1000000000) %}{{ i }}{% endfor %}', 'memory'],
    ['nested loops', `${'{% for i in (1..9999) %}'.repeat(4)}${'{% endfor %}'.repeat(4)}`, /memory|render/],
    [
      'loops over one list',
      `{% assign a = "${'a,'.repeat(900)}" | split: "," %}${'{% for i in a %}'.repeat(5)}${'{% endfor %}'.repeat(5)}`,
      'render',
    ],
    [
      'a text that doubles',
      '{% assign a = body %}{% for i in (1..99) %}{% assign a = a | append: a %}{% endfor %}',
      'memory',
    ],
    [
      'a capture that doubles',
      '{% assign a = body %}{% for i in (1..99) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}',
      'memory',
    ],
    ['long output', '{% for i in (1..99999) %}{{ body }}{% endfor %}', 'memory'],
    ['long literal output', `{% for i in (1..99999) %}${'y'.repeat(2000)}{% endfor %}`, 'memory'],
    ['wide dates', '{{ "now" | date: "%999999999Y" }}', 'memory'],
    ['replacements', '{{ body | replace: "%", body }}', 'memory'],
    ['encodings', `{{ body ${'| url_encode '.repeat(300)}}}`, 'memory'],
  ])('%s stops at a limit', (_name, template, limit) => {
    const result = render(template, { body: LONG });
    expect(result).toMatch(limit);
    expect(result).toMatch(
      /^bodyTemplate failed: line \d+, column \d+: .*limit exceeded\. The standard text is used\.$/
    );
  });

  test('writes no more than a message has', () => {
    expect(render('{{ body }}{{ body }}', { body: LONG })).toHaveLength(LIMITS.channelText.value);
    expect(render('{{ title | split: "" | first }}', { title: '😀' })).toBe('\ufffd');
  });

  test('changes no other message', () => {
    const renderer = new Renderer({ bodyTemplate: '{% increment title %}{{ n }}{% assign n = "x" %}' });
    const first = renderer.apply(MESSAGE, DETAILS);
    expect(renderer.apply(MESSAGE, DETAILS)).toEqual(first);
    expect(DETAILS.labels).toEqual({ instance: 'nas:9100', 'a.b': 'dotted' });
  });
});

const PIECES = [
  ...['{{', '}}', '{%', '%}', '{%-', '-%}', ' | ', ': ', ', ', '"', "'", '..', '(', ')', '[', ']', '.', '\n', '=', 'x'],
  ...[
    'title',
    'labels',
    'body',
    'labels.toString',
    'assign a',
    'for i in',
    'endfor',
    'if',
    'else',
    'endif',
    'capture a',
  ],
  ...[
    'endcapture',
    'liquid',
    'raw',
    'case',
    'when',
    'join',
    'split',
    'date',
    'slice',
    'json',
    'sort',
    '99999',
    '-1',
    '1e9',
  ],
];
test('rendering never throws, whatever template and notification', () => {
  const template = fc.oneof(
    fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join('')),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => `{{ title | ${pieces.join('')} }}`),
    fc.string({ unit: 'binary', maxLength: 200 })
  );
  const labels = fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom('toString', 'valueOf', '__proto__', 'size')),
    fc.string()
  );
  fc.assert(
    fc.property(template, fc.string({ unit: 'binary' }), labels, (text, title, some) => {
      const renderer = new Renderer({ titleTemplate: text, bodyTemplate: `{{ labels }}{{ labels | json }}${text}` });
      const { message, warning } = renderer.apply({ ...MESSAGE, title }, { ...DETAILS, labels: some });
      expect(titleOf(message)).not.toBe('');
      expect(titleOf(message)).not.toMatch(/\n/);
      expect(linesOf(message).join('').isWellFormed()).toBe(true);
      expect(warning ?? 'failed').toMatch(/failed/);
    }),
    { numRuns: 500 }
  );
});
