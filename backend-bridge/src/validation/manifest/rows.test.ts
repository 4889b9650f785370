/** Manifest members of the specification up to `backup`: accepted values, and rejected ones with their findings. */
import { describe } from 'vitest';
import { GOOD, holds, lenient, missing, type Refused, type Row, strict, typeOf } from './manifest.testing.ts';
import { ARCHITECTURES, CHAINS, TYPES } from './schema.ts';

const CID = 'QmV4FbVtWJspi6VuAC6KKU1SxBRTudD6gHkS6iJ8xFyrnC';
const MANIFEST: Row[] = [
  {
    row: 'name',
    accepted: ['geth.dnp.dappnode.eth', 'near.public.dappnode.eth', 'bee.avado.dnp.dappnode.eth', 'a.eth'].map(
      (name) => ({ name })
    ),
    refused: [
      [{ name: undefined }, missing('/name')],
      [{ name: 5 }, ['error name-format /name', typeOf('/name')]],
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
      [{ version: 1 }, ['error version-format /version', typeOf('/version')]],
      ...['', '1.2', '0.2.0-alpha', 'v1.2.3', '1.2.3.4', '1.2.x'].map((version): Refused => [
        { version },
        'error version-format /version',
      ]),
      // the dots in the regular expression of the specification match any character
      ...['1a2b3', '01.2.3', '123456'].map((version): Refused => [{ version }, strict('version-semver', '/version')]),
    ],
  },
  {
    row: 'upstreamVersion',
    accepted: [{ upstreamVersion: 'v0.14.1-beta' }, { upstreamVersion: 'kaunas' }],
    refused: [
      [{ upstreamVersion: ['1'] }, typeOf('/upstreamVersion')],
      [{ upstreamVersion: 1.5 }, lenient('other-type', '/upstreamVersion')],
    ],
  },
  {
    row: 'shortDescription',
    accepted: [{ shortDescription: 'One two three four five six' }, { shortDescription: '1 2 3 4 5 6 7 – 8' }],
    refused: [
      [{ shortDescription: ['5'] }, typeOf('/shortDescription')],
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
      [{ description: null }, lenient('other-type', '/description')],
      [{ description: {} }, typeOf('/description')],
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
      [{ chain: 'handshake' }, 'error chain-unlisted /chain'],
      [{ chain: 'ethereum-beacon-chain' }, ['', 'error chain-unlisted /chain']],
      [
        { chain: { driver: 'ethereum', portNumber: '8545' } },
        ['warning other-type /chain/portNumber', 'error chain-object /chain'],
      ],
      [
        { chain: { driver: 'ethereum', portNumber: 'http' } },
        ['error type /chain/portNumber', 'error chain-object /chain'],
      ],
      [{ chain: { driver: 'ethereum' } }, ['', 'error chain-object /chain']],
      [
        { chain: { driver: 'ethereum-beacon-chain', serviceName: 'beacon-chain', portNumber: 3500 } },
        ['', 'error chain-object /chain'],
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
      [{ dockerTimeout: [], requirements: { minimumDappnodeVersion: '0.2.36' } }, typeOf('/dockerTimeout')],
      ...['-5', '20 parsecs', 'about 20min', '1.2.3s'].map((dockerTimeout): Refused => [
        { dockerTimeout, requirements: { minimumDappnodeVersion: '0.2.36' } },
        lenient('timeout-format', '/dockerTimeout'),
      ]),
      ...['', 'soon'].map((dockerTimeout): Refused => [
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
        lenient('other-type', '/dockerTimeout'),
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
      [{ dependencies: { 'a.eth': [] } }, typeOf('/dependencies/a.eth')],
      [{ dependencies: { Bitcoin: '1.0.0' } }, lenient('dependency-name', '/dependencies/Bitcoin')],
      [{ dependencies: { 'a.eth': '*' } }, 'note dependency-any /dependencies/a.eth'],
      [{ dependencies: { 'a.eth': 'latest' } }, 'note dependency-latest /dependencies/a.eth'],
      [{ dependencies: { 'a.eth': `/ipfs/${CID}` } }, 'note dependency-ipfs /dependencies/a.eth'],
      [{ dependencies: { 'a.eth': `/ipfs/${CID.slice(0, -1)}` } }, lenient('content-address', '/dependencies/a.eth')],
      [{ dependencies: { 'a.eth': '/ipfs/' } }, lenient('content-address', '/dependencies/a.eth')],
      [{ dependencies: { 'a.eth': CID } }, lenient('dependency-hash', '/dependencies/a.eth')],
      ...['', ' ', 'newest', '/ipns/a', '1.2.3.4', `>${'1'.repeat(300)}`].map((range): Refused => [
        { dependencies: { 'a.eth': range } },
        lenient('dependency-range', '/dependencies/a.eth'),
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
    accepted: [{ globalEnvs: undefined }],
    refused: [
      [{ globalEnvs: 'all' }, typeOf('/globalEnvs')],
      [{ globalEnvs: [{ envs: ['DOMAIN'], services: ['a'] }] }, ['', 'error global-envs-list /globalEnvs']],
      [{ globalEnvs: {} }, [typeOf('/globalEnvs'), '']],
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
];

describe('Manifest: identity and operation', () => holds(MANIFEST));
