/** Members of nested objects: accepted values, and rejected ones with their findings. */
import { describe } from 'vitest';
import { empty, holds, lenient, type Members, missing, type Refused, type Row, typeOf } from './manifest.testing.ts';

const entry = (list: string, good: Members, change: Members): Members => ({ [list]: [{ ...good, ...change }] });
const backup = (change: Members): Members => entry('backup', { name: 'keys', path: '/keys' }, change);
const alert = (change: Members): Members => entry('updateAlerts', { from: '<1.0.0', message: 'Careful.' }, change);
const exposable = (change: Members): Members => entry('exposable', { name: 'API', port: 80 }, change);
const repository = (change: Members): Members => ({
  repository: { type: 'git', url: 'https://github.com/a/b.git', ...change },
});

const INNER: Record<string, Row[]> = {
  requirements: [
    {
      row: 'minimumDappnodeVersion',
      accepted: [{ requirements: { minimumDappnodeVersion: '0.2.77' } }],
      refused: [
        [
          { requirements: { minimumDappnodeVersion: '0.2' } },
          'error version-format /requirements/minimumDappnodeVersion',
        ],
        [
          { requirements: { minimumDappnodeVersion: '0-2-77' } },
          'warning minimum-semver /requirements/minimumDappnodeVersion',
        ],
      ],
    },
  ],
  globalEnvs: [
    {
      row: 'all',
      accepted: [{}],
      refused: [
        [{ globalEnvs: { all: true } }, [typeOf('/globalEnvs'), '']],
        [{ globalEnvs: { all: false } }, [typeOf('/globalEnvs'), '']],
        [{ globalEnvs: { all: 1 } }, [typeOf('/globalEnvs'), typeOf('/globalEnvs/all')]],
        [{ globalEnvs: { all: 'true' } }, [typeOf('/globalEnvs'), 'error other-type /globalEnvs/all']],
      ],
    },
  ],
  backup: [
    {
      row: 'name',
      accepted: [backup({ name: 'a b' })],
      refused: [
        [backup({ name: undefined }), missing('/backup/0/name')],
        [backup({ name: '' }), empty('/backup/0/name')],
        [
          {
            backup: [
              { name: 'a', path: '/a' },
              { name: 'a', path: '/b' },
            ],
          },
          lenient('backup-name-twice', '/backup/1/name'),
        ],
        [backup({ name: '../a' }), 'warning backup-name /backup/0/name'],
      ],
    },
    {
      row: 'path',
      accepted: [backup({ path: '/root/.lnd/wallet.db' }), backup({ path: '/rtl/backup/' })],
      refused: [
        [backup({ path: undefined }), missing('/backup/0/path')],
        [backup({ path: '' }), empty('/backup/0/path')],
        ...['~/rtl/backup/', 'data', './data', '/root/~/a'].map((path): Refused => [
          backup({ path }),
          lenient('backup-path', '/backup/0/path'),
        ]),
        [backup({ path: '/a/../b' }), 'warning backup-path-steps /backup/0/path'],
      ],
    },
    {
      row: 'service',
      accepted: [backup({ service: 'node' })],
      refused: [
        [backup({ service: '' }), empty('/backup/0/service')],
        [backup({ service: 1 }), lenient('other-type', '/backup/0/service')],
        [backup({ service: [] }), typeOf('/backup/0/service')],
      ],
    },
  ],
  warnings: ['onInstall', 'onReset', 'onRemove'].map((row) => ({
    row,
    accepted: [{ warnings: { [row]: 'Careful.' } }, { warnings: { [row]: '' } }],
    refused: [[{ warnings: { [row]: ['Careful.'] } }, typeOf(`/warnings/${row}`)]],
  })),
  updateAlerts: [
    {
      row: 'from',
      accepted: [alert({ from: '1.x' })],
      refused: [
        [alert({ from: undefined }), missing('/updateAlerts/0/from')],
        [alert({ from: '' }), empty('/updateAlerts/0/from')],
        [alert({ from: 'old' }), lenient('update-range', '/updateAlerts/0/from')],
      ],
    },
    {
      row: 'to',
      accepted: [alert({ to: '>=1.0.0' }), alert({ to: '*' })],
      refused: [
        [alert({ to: '' }), empty('/updateAlerts/0/to')],
        [alert({ to: 'new' }), lenient('update-range', '/updateAlerts/0/to')],
      ],
    },
    {
      row: 'message',
      accepted: [alert({ message: 'Back up first.' })],
      refused: [
        [alert({ message: undefined }), missing('/updateAlerts/0/message')],
        [alert({ message: '' }), empty('/updateAlerts/0/message')],
      ],
    },
  ],
  disclaimer: [
    {
      row: 'message',
      accepted: [{ disclaimer: { message: 'It is *experimental*.' } }],
      refused: [
        [{ disclaimer: {} }, missing('/disclaimer/message')],
        [{ disclaimer: { message: 1 } }, lenient('other-type', '/disclaimer/message')],
        [{ disclaimer: { message: [] } }, typeOf('/disclaimer/message')],
        [{ disclaimer: { message: ' ' } }, 'warning disclaimer-empty /disclaimer/message'],
      ],
    },
  ],
  style: [
    {
      row: 'featuredBackground',
      accepted: ['linear-gradient(67deg, #090909, #2f1354)', '#123', 'rgb(0 0 0 / 50%)', 'inherit', 'Unset'].map(
        (featuredBackground) => ({
          style: { featuredBackground },
        })
      ),
      refused: [
        [{ style: { featuredBackground: [] } }, typeOf('/style/featuredBackground')],
        ...['red; } body { display: none', 'rainbow', 'red !important', 'red</style>'].map(
          (featuredBackground): Refused => [
            { style: { featuredBackground } },
            lenient('style-value', '/style/featuredBackground'),
          ]
        ),
        ...['', ' ', ';', 'black;', ' red ; '].map((featuredBackground): Refused => [
          { style: { featuredBackground } },
          'note style-cleaned /style/featuredBackground',
        ]),
        ...[
          'url(https://example.org/a.png)',
          'URL("//x")',
          'image-set("a.png" 1x)',
          'var(--x)',
          `${'#fff,'.repeat(80)}#fff`,
        ].map((featuredBackground): Refused => [
          { style: { featuredBackground } },
          'warning style-left-out /style/featuredBackground',
        ]),
      ],
    },
    {
      row: 'featuredColor',
      accepted: ['white', '#eee', 'hsl(10 20% 30%)'].map((featuredColor) => ({ style: { featuredColor } })),
      refused: [
        [{ style: { featuredColor: '10px' } }, lenient('style-value', '/style/featuredColor')],
        [{ style: { featuredColor: 'expression(alert(1))' } }, 'warning style-left-out /style/featuredColor'],
      ],
    },
    {
      row: 'featuredAvatarFilter',
      accepted: [{ style: { featuredAvatarFilter: 'invert(1)' } }, { style: { featuredAvatarFilter: 'none' } }],
      refused: [
        [
          { style: { featuredAvatarFilter: 'invert(1) shake()' } },
          lenient('style-value', '/style/featuredAvatarFilter'),
        ],
        [{ style: { featuredAvatarFilter: 'grayscale(80%);' } }, 'note style-cleaned /style/featuredAvatarFilter'],
        [{ style: { featuredAvatarFilter: 'url(#x)' } }, 'warning style-left-out /style/featuredAvatarFilter'],
      ],
    },
  ],
  exposable: [
    {
      row: 'name',
      accepted: [exposable({ name: 'Node API' })],
      refused: [
        [exposable({ name: undefined }), missing('/exposable/0/name')],
        [exposable({ name: '' }), empty('/exposable/0/name')],
      ],
    },
    {
      row: 'description',
      accepted: [exposable({ description: '' })],
      refused: [[exposable({ description: 1 }), lenient('other-type', '/exposable/0/description')]],
    },
    {
      row: 'serviceName',
      accepted: [exposable({ serviceName: 'node' })],
      refused: [[exposable({ serviceName: '' }), empty('/exposable/0/serviceName')]],
    },
    {
      row: 'port',
      accepted: [exposable({ port: 1 }), exposable({ port: 65535 })],
      refused: [
        [exposable({ port: undefined }), missing('/exposable/0/port')],
        ...[0, 65536, -1, 80.5].map((port): Refused => [
          exposable({ port }),
          lenient('port-range', '/exposable/0/port'),
        ]),
        [exposable({ port: '80' }), lenient('other-type', '/exposable/0/port')],
        [exposable({ port: 'http' }), typeOf('/exposable/0/port')],
      ],
    },
    {
      row: 'fromSubdomain',
      accepted: [exposable({ fromSubdomain: 'api' })],
      refused: [[exposable({ fromSubdomain: false }), ['', typeOf('/exposable/0/fromSubdomain')]]],
    },
  ],
  links: ['homepage', 'ui', 'api', 'gateway'].map((row) => ({
    row,
    accepted: [{ links: { [row]: 'http://my.node.dappnode:8545/path' } }],
    refused: [
      [{ links: { [row]: {} } }, typeOf(`/links/${row}`)],
      [{ links: { [row]: 'my.node.dappnode' } }, `warning link /links/${row}`],
    ],
  })),
  repository: [
    {
      row: 'type',
      accepted: [repository({ type: 'git' })],
      refused: [
        [repository({ type: undefined }), missing('/repository/type')],
        [repository({ type: '' }), empty('/repository/type')],
      ],
    },
    {
      row: 'url',
      accepted: ['git+https://github.com/a/b.git', 'git@github.com:a/b.git'].map((url) => repository({ url })),
      refused: [
        [repository({ url: undefined }), missing('/repository/url')],
        [repository({ url: '' }), empty('/repository/url')],
        [repository({ url: 'javascript:alert(1)' }), 'warning link /repository/url'],
      ],
    },
    {
      row: 'directory',
      accepted: [repository({ directory: '' })],
      refused: [[repository({ directory: 1 }), lenient('other-type', '/repository/directory')]],
    },
  ],
};

describe.each(Object.entries(INNER))('%s', (_table, rows) => holds(rows));
