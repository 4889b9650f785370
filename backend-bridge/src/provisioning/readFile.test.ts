import { expect, test } from 'vitest';
import { expand, readProvisioningFile } from './readFile.ts';

const ENV = { SENDER_TOKEN: 'a-token-of-some-length', ON: 'true', LIMIT: '12.5' };
const read = (text: string) => readProvisioningFile('a.yaml', text, ENV);
/** `line:column words` of each finding. */
const base = (text: string): string[] => {
  const { findings, read: value } = read(text);
  expect(value).toBeUndefined();
  expect(findings.every(({ verdict, file }) => verdict === 'error' && file === 'a.yaml')).toBe(true);
  return findings.map(({ line, column, detail }) => `${line}:${column} ${detail}`);
};

test('a whole file is read, with variables put in', () => {
  const text = `apiVersion: 1
packages:
  - path: packages/geth
    variant: mainnet
    files: /srv/geth
    disclaimerAccepted: \${ON}
    settings:
      enabled: false
      endpoints:
        geth-peers: { enabled: true, threshold: $LIMIT }
  - { manifest: m.json, notifications: n.yaml, compose: c.yml, targets: t.json, dashboards: [d.json], dialect: spec }
categories:
  hardware: false
  "8": true
senders:
  - { name: ci, packages: [a.eth], token: "\${SENDER_TOKEN}" }
  - { name: backup, tokenFile: /run/secrets/backup }
chains:
  geth.example.eth: { url: "http://127.0.0.1:8545", interval: 30s, usernameFile: u, passwordFile: p }
`;
  const { findings, read: value } = read(text);
  expect(findings).toEqual([]);
  expect(value?.value).toMatchObject({
    apiVersion: 1,
    packages: [
      {
        path: 'packages/geth',
        disclaimerAccepted: true,
        settings: { enabled: false, endpoints: { 'geth-peers': { enabled: true, threshold: 12.5 } } },
      },
      { manifest: 'm.json', dashboards: ['d.json'], dialect: 'spec' },
    ],
    categories: { hardware: false, 8: true },
    senders: [{ token: ENV.SENDER_TOKEN }, { tokenFile: '/run/secrets/backup' }],
  });
});

test('every mistake comes at once, in the order of the file, with line and column', () => {
  const text = `apiVersion: 2
pakages: []
packages:
  - variant: x
  - path: a
    manifest: b
    disclaimerAcepted: true
  - path: 5
categories: { hardware: "off" }
senders:
  - name: ''
    tokenFile: x
  - name: both
    token: short
    tokenFile: y
chains:
  geth: { url: "ftp://x", interval: 30 }
`;
  expect(base(text)).toEqual([
    '1:13 apiVersion must be 1; found 2.',
    '2:1 "pakages" is unknown. Did you mean "packages"?',
    '4:5 packages[0] must be an object with "path" (a folder) or "manifest" (a file); found variant: x.',
    '4:14 packages[0].variant must be absent without "path": only a folder has variants; found x.',
    '6:15 packages[1].manifest must be absent beside "path": the files are found in the folder; found b.',
    '7:5 "disclaimerAcepted" is unknown. Did you mean "disclaimerAccepted"?',
    '8:11 packages[2].path must be text (in quotes where it looks like a number); found 5.',
    '9:25 categories.hardware must be true or false; found "off".',
    `11:11 senders[0].name must be text that is not empty; found ''.`,
    '13:5 senders[1] must be an object with one of "token" and "tokenFile"; found something else.',
    '17:16 chains.geth.url must be an http: or https: address; found something else.',
    '17:37 chains.geth.interval must be text (in quotes where it looks like a number); found 30.',
  ]);
});

test('a mistake is reported once, in words of the file', () => {
  const text = `apiVersion: 1
packages:
  - { path: a, settings: { endpoints: { a: { threshold: many } } } }
channels:
  - { name: a, type: ntfy, topic: a, perMinute: many }
  - { name: b, type: telegram, token: "12345:a", chatId: "two words" }
  - { name: c, type: email, host: mail, from: a@example.org, to: [] }
schedules:
  - { name: x, rotations: [{ people: [ada], every: 1w, from: monday }] }
inhibit_rules:
  - { source_matchers: [], target_matchers: [a] }
dependencies:
  - { package: a, on: [] }
retention: { maxNotifications: many }
`;
  expect(base(text)).toEqual([
    '3:57 packages[0].settings.endpoints.a.threshold must be a number; found many.',
    '5:49 channels[0].perMinute must be a whole number from 1 to 1000000; found many.',
    '6:58 channels[1].chatId must be the number of a chat, or @name of a public channel; found "two words".',
    '7:66 channels[2].to must be a list that is not empty; found [].',
    '9:62 schedules[0].rotations[0].from must be a local date and time such as 2026-01-05T09:00; found monday.',
    '11:24 inhibit_rules[0].source_matchers must be a list that is not empty; found [].',
    expect.stringMatching(/^11:46 .*: Character 2: found the end, expected an operator: =, !=, =~, !~; found a\.$/),
    '13:23 dependencies[0].on must be a list that is not empty; found [].',
    '14:32 retention.maxNotifications must be a whole number from 1 to 1000000000; found many.',
  ]);
});

test.each([
  ['', ['1:1 apiVersion is missing: it must be 1.']],
  ['# nothing\n', ['1:1 apiVersion is missing: it must be 1.']],
  ['packages: []', ['1:1 apiVersion is missing: it must be 1.']],
  ['[]', ['1:1 The file must be an object; found [].']],
  [
    'apiVersion: 1\nsenders:\n  - name: x\n    token: ${NONE}\n',
    ['4:12 The variable NONE is not set in the environment of the bridge.'],
  ],
  ['apiVersion: 1\ncategories: {a: true, a: false}', ['2:23 This member is duplicated: keep one.']],
  ['apiVersion: 1\n---\napiVersion: 1', ['2:1 A second document starts here: write one document per file.']],
  ['apiVersion: 1\npackages:\n\t- path: x', ['3:1 Tabs cannot be used for indentation: use spaces.']],
  ['apiVersion: *one', ['1:13 The alias *one is not defined before its use.']],
  ['a: '.padEnd(1024 * 1024 + 1, 'x'), ['1:1 The file has 1048577 characters; the limit is 1048576.']],
  ['['.repeat(50_000), ['1:65 The file has more than 64 levels of nesting.']],
])('%.30s', (text, expected) => {
  expect(base(text)).toEqual(expected);
});

test('a secret is never repeated, wherever it came from', () => {
  const text =
    'apiVersion: 1\nsenders:\n  - { name: x, token: [hidden-secret] }\n  - { name: "${SENDER_TOKEN}", oops: 1 }\n';
  const all = JSON.stringify(read(text).findings);
  expect(read(text).findings.length).toBeGreaterThan(1);
  expect(all).not.toContain('hidden-secret');
  expect(all).not.toContain(ENV.SENDER_TOKEN);
});

test.each([
  'senders: [{ name: x, tokenFile: y, token: hidden }]',
  'senders: [{ token: hidden, tokenFile: y, name: x }]',
  'senders:\n  - token: hidden\n    tokenFile: y\n    name: x',
  'senders:\n  name: x\n  token: hidden',
  'senders: [hidden]',
  'senders: hidden',
  'channels: { name: x, type: ntfy, token: hidden }',
  'channels:\n  - name: x\n    type: ntfy\n    topic:\n      token: hidden',
  'chains: { geth: "http://user:hidden@geth" }',
  'schedules: { ics: https://hidden }',
])('nor is the entry that holds it: %s', (text) => {
  expect(base(`apiVersion: 1\n${text}\n`).join()).toMatch(/^(?!.*hidden).*; found something else\./s);
});

test.each(['*hidden', '|hidden', '>hidden', '!hidden!x', '"\\uhidden"'])(
  'nor is %s, which YAML does not allow',
  (text) => {
    expect(base(`apiVersion: 1\nsenders:\n  - { name: x, token: ${text} }\n`).join()).not.toMatch(/hid/);
    expect(base(`apiVersion: 1\nsenders:\n  - name: x\n    token: ${text}\n`)).toEqual([
      expect.stringMatching(/^4:\d+ This line is not valid YAML: put its values in quotes\.$/),
    ]);
  }
);

test.each(['pa$hidden', 'pa$hidden$', '$hidden', 'pa${hid-den', 'pa${hid-den}'])(
  'nor is %s, which looks as if it had a variable',
  (text) => {
    const found = base(`apiVersion: 1\nsenders:\n  - { name: x, token: '${text}' }\n`);
    expect(found).toEqual([expect.stringMatching(/^3:\d+ (?!.*hid).*\$\$ for a dollar sign\.$/)]);
  }
);

test('nor is a file that holds nothing else', () => {
  expect(base('hidden')).toEqual(['1:1 The file must be an object; found something else.']);
});

test('members of prototypes are members like others', () => {
  expect(base('apiVersion: 1\n__proto__: {x: 1}\nconstructor: 1\n').map((line) => line.slice(0, 20))).toEqual([
    '2:1 "__proto__" is u',
    '3:1 "constructor" is',
  ]);
});

test('aliases that make millions of nodes are refused', () => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x,x]',
    ...'bcdefgh'.split('').map((name, index) => {
      const one = `*${'abcdefgh'[index]}`;
      return `${name}: &${name} [${Array(10).fill(one).join(',')}]`;
    }),
  ].join('\n');
  expect(base(bomb)).toEqual([expect.stringMatching(/6:\d+ The file has more than 200000 values/)]);
});

const env = { TOKEN: 'a$b${TOKEN}', EMPTY: '', _x1: 'one' };

test.each([
  ['nothing to do', 'nothing to do'],
  ['${TOKEN}', 'a$b${TOKEN}'],
  ['$TOKEN/x', 'a$b${TOKEN}/x'],
  ['$_x1-${_x1}', 'one-one'],
  ['costs $$5 or $5, $', 'costs $5 or $5, $'],
  ['$$TOKEN', '$TOKEN'],
  ['$${TOKEN}', '${TOKEN}'],
])('%s', (text, expanded) => {
  expect(expand(text, env)).toEqual({ text: expanded, mistakes: [] });
});

test.each([
  ['${NONE}', /NONE is not set/],
  ['$NONE', /NONE is not set/],
  ['pa$NONE', /The variable after "\$" is not set/],
  ['$word', /The variable after "\$" is not set/],
  ['${EMPTY}', /EMPTY is not set/],
  ['${a-b}', /does not begin a variable/],
  ['${}', /does not begin a variable/],
  ['${TOKEN', /does not begin a variable/],
])('%s is a mistake', (text, words) => {
  expect(expand(text, env)).toEqual({ text, mistakes: [expect.stringMatching(words)] });
});

test('mistakes come all at once and hold no value', () => {
  const { mistakes } = expand('${NONE} ${TOKEN} $OTHER', env);
  expect(mistakes).toHaveLength(2);
  expect(mistakes.join()).not.toContain('a$b');
});
