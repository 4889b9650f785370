/** Each row of the specification's table of the manifest: what it accepts, and what it refuses or advises against. */
import { describe } from 'vitest';
import { empty, GOOD, holds, missing, type Refused, type Row, typeOf } from './judge.testing.ts';
import { ARCHITECTURES, CATEGORIES, CHAINS, TYPES } from './schema.ts';

const CID = 'QmV4FbVtWJspi6VuAC6KKU1SxBRTudD6gHkS6iJ8xFyrnC';
const MANIFEST: Row[] = [
  {
    row: 'name',
    accepted: ['geth.dnp.dappnode.eth', 'near.public.dappnode.eth', 'bee.avado.dnp.dappnode.eth', 'a.eth'].map(
      (name) => ({ name })
    ),
    refused: [
      [{ name: undefined }, missing('/name')],
      [{ name: 5 }, typeOf('/name')],
      ...[
        '',
        'geth',
        'geth.dnp.dappnode',
        'Geth.dnp.dappnode.eth',
        'a..eth',
        '-a.eth',
        'a-.eth',
        'a_b.eth',
        'a b.eth',
        '.eth',
        'eth',
      ]
        .concat([`${'a'.repeat(64)}.eth`, `${'a.'.repeat(130)}eth`, 'a.eth\n'])
        .map((name): Refused => [{ name }, 'error name-format /name']),
    ],
  },
  {
    row: 'version',
    accepted: ['0.0.1', '10.20.30'].map((version) => ({ version })),
    refused: [
      [{ version: undefined }, missing('/version')],
      [{ version: 1 }, typeOf('/version')],
      ...['', '1.2', '0.2.0-alpha', 'v1.2.3', '1.2.3.4', '1.2.x'].map((version): Refused => [
        { version },
        'error version-format /version',
      ]),
      // the dots of the specification's expression take any character
      ...['1a2b3', '01.2.3', '123456'].map((version): Refused => [{ version }, 'error version-semver /version']),
    ],
  },
  {
    row: 'upstreamVersion',
    accepted: [{ upstreamVersion: 'v0.14.1-beta' }, { upstreamVersion: 'kaunas' }],
    refused: [
      [{ upstreamVersion: ['1'] }, typeOf('/upstreamVersion')],
      [{ upstreamVersion: 1.5 }, ['warning other-type /upstreamVersion', 'error other-type /upstreamVersion']],
    ],
  },
  {
    row: 'shortDescription',
    accepted: [{ shortDescription: 'One two three four five six' }, { shortDescription: '1 2 3 4 5 6 7 – 8' }],
    refused: [
      [{ shortDescription: 5 }, typeOf('/shortDescription')],
      [
        { shortDescription: 'Scalable, instant Bitcoin transactions' },
        'warning short-description-words /shortDescription',
      ],
      [
        { shortDescription: 'One two three four five six seven eight nine' },
        'warning short-description-words /shortDescription',
      ],
      ...['a [b](c) d e f g', 'a **b** c d e f', '`a` b c d e f', '# a b c d e f', 'a <b>b</b> c d e f'].map(
        (shortDescription): Refused => [{ shortDescription }, 'warning short-description-markdown /shortDescription']
      ),
    ],
  },
  {
    row: 'description',
    accepted: [{ description: '# A\n[link](https://example.org)' }, { description: '' }],
    refused: [
      [{ description: undefined }, missing('/description')],
      [{ description: null }, typeOf('/description')],
    ],
  },
  {
    row: 'type',
    accepted: TYPES.map((type) => ({ type })),
    refused: [
      [{ type: undefined }, missing('/type')],
      [{ type: 'servic' }, 'error unlisted-value /type'],
      [{ type: 'Service' }, 'error unlisted-value /type'],
    ],
  },
  {
    row: 'chain',
    accepted: CHAINS.map((chain) => ({ chain })),
    refused: [
      [{ chain: 5 }, [typeOf('/chain'), 'error unlisted-value /chain']],
      [{ chain: 'handshake' }, ['warning chain-unlisted /chain', 'error chain-unlisted /chain']],
      [{ chain: { driver: 'ethereum' } }, ['warning chain-object /chain', 'error chain-object /chain']],
      [
        { chain: { driver: 'ethereum-beacon-chain', serviceName: 'beacon-chain', portNumber: 3500 } },
        ['warning chain-object /chain', 'error chain-object /chain'],
      ],
    ],
  },
  {
    row: 'mainService',
    accepted: [{ mainService: 'node' }],
    refused: [[{ mainService: ['node'] }, typeOf('/mainService')]],
  },
  {
    row: 'dockerTimeout',
    accepted: ['120', '20min', '1h 30m', '1.5h'].map((dockerTimeout) => ({
      dockerTimeout,
      requirements: { minimumDappnodeVersion: '0.2.36' },
    })),
    refused: [
      [{ dockerTimeout: true, requirements: { minimumDappnodeVersion: '0.2.36' } }, typeOf('/dockerTimeout')],
      ...['', 'soon', '-5', '20 parsecs', 'about 20min', '1.2.3s'].map((dockerTimeout): Refused => [
        { dockerTimeout, requirements: { minimumDappnodeVersion: '0.2.36' } },
        'error timeout /dockerTimeout',
      ]),
      [{ dockerTimeout: '120' }, 'note timeout-no-minimum /dockerTimeout'],
      [
        { dockerTimeout: '120', requirements: { minimumDappnodeVersion: '0.2.35' } },
        'warning timeout-minimum /dockerTimeout',
      ],
      [
        { dockerTimeout: 120, requirements: { minimumDappnodeVersion: '0.2.36' } },
        ['warning other-type /dockerTimeout', 'error other-type /dockerTimeout'],
      ],
    ],
  },
  {
    row: 'dependencies',
    accepted: ['1.2.3', '^1.2.0', '>=1.0.0 <2.0.0', '1.x'].map((range) => ({
      dependencies: { 'a.dnp.dappnode.eth': range },
    })),
    refused: [
      [{ dependencies: ['a.eth'] }, typeOf('/dependencies')],
      [{ dependencies: { 'a.eth': 1 } }, typeOf('/dependencies/a.eth')],
      [{ dependencies: { Bitcoin: '1.0.0' } }, 'error dependency-name /dependencies/Bitcoin'],
      [{ dependencies: { 'a.eth': '*' } }, 'note dependency-any /dependencies/a.eth'],
      [{ dependencies: { 'a.eth': 'latest' } }, 'note dependency-latest /dependencies/a.eth'],
      [{ dependencies: { 'a.eth': `/ipfs/${CID}` } }, 'note dependency-ipfs /dependencies/a.eth'],
      [{ dependencies: { 'a.eth': `/ipfs/${CID.slice(0, -1)}` } }, 'error content-address /dependencies/a.eth'],
      [{ dependencies: { 'a.eth': '/ipfs/' } }, 'error content-address /dependencies/a.eth'],
      [
        { dependencies: { 'a.eth': CID } },
        ['warning dependency-hash /dependencies/a.eth', 'error dependency-hash /dependencies/a.eth'],
      ],
      ...['', ' ', 'newest', '/ipns/a', '1.2.3.4', `>${'1'.repeat(300)}`].map((range): Refused => [
        { dependencies: { 'a.eth': range } },
        'error dependency-range /dependencies/a.eth',
      ]),
      [{ dependencies: { [GOOD.name]: '1.0.0' } }, `warning depends-on-itself /dependencies/${GOOD.name}`],
    ],
  },
  {
    row: 'requirements',
    accepted: [{ requirements: {} }],
    refused: [[{ requirements: '0.2.36' }, typeOf('/requirements')]],
  },
  {
    row: 'globalEnvs',
    accepted: [{ globalEnvs: {} }],
    refused: [
      [{ globalEnvs: 'all' }, typeOf('/globalEnvs')],
      [
        { globalEnvs: [{ envs: ['DOMAIN'], services: ['a'] }] },
        ['warning global-envs-list /globalEnvs', 'error global-envs-list /globalEnvs'],
      ],
    ],
  },
  {
    row: 'architectures',
    accepted: [{ architectures: [] }, ...ARCHITECTURES.map((one) => ({ architectures: [one] }))],
    refused: [
      [{ architectures: 'linux/amd64' }, typeOf('/architectures')],
      [{ architectures: ['linux/amd64', 'arm64'] }, 'error unlisted-value /architectures/1'],
    ],
  },
  {
    row: 'backup',
    accepted: [{ backup: [] }],
    refused: [
      [{ backup: {} }, typeOf('/backup')],
      [{ backup: ['/keys'] }, typeOf('/backup/0')],
    ],
  },
  { row: 'changelog', accepted: [{ changelog: '- *new*' }], refused: [[{ changelog: ['new'] }, typeOf('/changelog')]] },
  { row: 'warnings', accepted: [{ warnings: {} }], refused: [[{ warnings: 'Careful.' }, typeOf('/warnings')]] },
  { row: 'updateAlerts', accepted: [{ updateAlerts: [] }], refused: [[{ updateAlerts: {} }, typeOf('/updateAlerts')]] },
  {
    row: 'disclaimer',
    accepted: [{ disclaimer: { message: 'Careful.' } }],
    refused: [[{ disclaimer: 'Careful.' }, typeOf('/disclaimer')]],
  },
  { row: 'style', accepted: [{ style: {} }], refused: [[{ style: 'white' }, typeOf('/style')]] },
  { row: 'exposable', accepted: [{ exposable: [] }], refused: [[{ exposable: 80 }, typeOf('/exposable')]] },
  {
    row: 'author',
    accepted: ['A B <a@example.org> (https://example.org/a)', 'A B <a@example.org>'].map((author) => ({ author })),
    refused: [
      [{ author: { name: 'A' } }, typeOf('/author')],
      [{ author: '' }, empty('/author')],
      ...[
        'A',
        'A (https://example.org)',
        '<a@example.org>',
        'A <a>',
        'A <a@example.org> (hhttps://x)',
        'A <a@b> (https://x',
      ].map((author): Refused => [{ author }, 'warning person /author']),
    ],
  },
  {
    row: 'contributors',
    accepted: [{ contributors: [] }, { contributors: ['A <a@example.org>'] }],
    refused: [
      [{ contributors: 'A' }, typeOf('/contributors')],
      [{ contributors: [1] }, typeOf('/contributors/0')],
      [{ contributors: [''] }, empty('/contributors/0')],
      [{ contributors: ['A <a@example.org>', 'B'] }, 'warning person /contributors/1'],
    ],
  },
  {
    row: 'categories',
    accepted: [...CATEGORIES.map((one) => ({ categories: [one] })), { categories: ['Storage', 'ETH2.0'] }],
    refused: [
      [{ categories: 'Storage' }, typeOf('/categories')],
      [
        { categories: ['blockchain'] },
        ['warning category-unlisted /categories/0', 'error category-unlisted /categories/0'],
      ],
      [{ categories: ['Lido'] }, ['warning category-unlisted /categories/0', 'error category-unlisted /categories/0']],
      [{ categories: [] }, 'warning category-count /categories'],
      [{ categories: ['Storage', 'ETH2.0', 'Monitoring'] }, 'warning category-count /categories'],
      [{ categories: undefined }, 'note category-none /categories'],
    ],
  },
  {
    row: 'keywords',
    accepted: [{ keywords: ['a'] }],
    refused: [
      [{ keywords: 'a' }, typeOf('/keywords')],
      [{ keywords: ['a', ''] }, empty('/keywords/1')],
    ],
  },
  {
    row: 'links',
    accepted: [{ links: { forum: 'https://example.org', local: '/path' } }],
    refused: [
      [{ links: ['https://example.org'] }, typeOf('/links')],
      [{ links: { forum: 1 } }, typeOf('/links/forum')],
      [{ links: { forum: 'javascript:alert(1)' } }, 'warning link /links/forum'],
      [{ links: 'https://example.org' }, ['warning links-text /links', 'error links-text /links']],
    ],
  },
  {
    row: 'repository',
    accepted: [{ repository: { type: 'git', url: 'https://github.com/a/b' } }],
    refused: [[{ repository: 'https://github.com/a/b' }, typeOf('/repository')]],
  },
  {
    row: 'bugs',
    accepted: [{ bugs: { url: 'https://example.org/issues' } }],
    refused: [
      [{ bugs: 'https://example.org' }, typeOf('/bugs')],
      [{ bugs: {} }, missing('/bugs/url')],
      [{ bugs: { url: 'mailto:a@example.org' } }, 'warning link /bugs/url'],
    ],
  },
  {
    row: 'license',
    accepted: ['GPL-3.0', 'Apache-2.0, MIT', '(c)'].map((license) => ({ license })),
    refused: [
      [{ license: undefined }, missing('/license')],
      [{ license: '' }, empty('/license')],
      [{ license: 'GLP-3.0' }, 'note license-spelling /license'],
    ],
  },
];

describe('Manifest', () => holds(MANIFEST));
