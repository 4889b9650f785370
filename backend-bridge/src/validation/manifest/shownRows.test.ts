/** Manifest members of the specification from `changelog` on: accepted values, and rejected ones with their findings. */
import { describe } from 'vitest';
import { empty, holds, missing, type Refused, type Row, typeOf } from './manifest.testing.ts';
import { CATEGORIES } from './schema.ts';

const MANIFEST: Row[] = [
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
    accepted: [{ author: 'A B <a@example.org> (https://example.org/a)' }],
    refused: [
      [{ author: { name: 'A' } }, typeOf('/author')],
      [{ author: '' }, empty('/author')],
      [{ author: 'A B <a@example.org>' }, 'note person-address /author'],
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
    accepted: [{ contributors: [] }, { contributors: ['A <a@example.org> (https://a.example)'] }],
    refused: [
      [{ contributors: 'A' }, typeOf('/contributors')],
      [{ contributors: [[]] }, typeOf('/contributors/0')],
      [{ contributors: [''] }, empty('/contributors/0')],
      [{ contributors: ['A <a@example.org> (https://a.example)', 'B'] }, 'warning person /contributors/1'],
    ],
  },
  {
    row: 'categories',
    accepted: [...CATEGORIES.map((one) => ({ categories: [one] })), { categories: ['Storage', 'ETH2.0'] }],
    refused: [
      [{ categories: 'Storage' }, typeOf('/categories')],
      [{ categories: ['blockchain'] }, 'error category-unlisted /categories/0'],
      [{ categories: ['Lido'] }, ['', 'error category-unlisted /categories/0']],
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
      [{ links: { forum: 1 } }, ['', typeOf('/links/forum')]],
      [{ links: { forum: 'javascript:alert(1)' } }, 'warning link /links/forum'],
      [{ links: 'https://example.org' }, 'error links-text /links'],
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

describe('Manifest: presentation', () => holds(MANIFEST));
