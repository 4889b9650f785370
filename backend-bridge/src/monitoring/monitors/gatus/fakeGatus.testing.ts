/** Gatus' list of endpoints, over HTTP. */
import { createServer } from 'node:http';
import { urlOf } from '../../../listening.testing.ts';

type Endpoint = { name: string; group?: string; key: string; results: { success: boolean }[] };

/**
 * `curl 'http://127.0.0.1:18180/api/v1/endpoints/statuses?page=1&pageSize=1'` of Gatus 5 (TwiN/gatus at 08c4635, of 17 August 2026), with
 * an endpoint of a group that fails and one without a group that does not. Before the first check, and after each change of its
 * configuration with its store in memory, it is `[]`.
 */
export const RECORDED = [
  {
    name: 'always',
    key: '_always',
    results: [
      {
        hostname: '127.0.0.1',
        duration: 226086,
        errors: ['Get "http://127.0.0.1:18182/": dial tcp 127.0.0.1:18182: connect: connection refused'],
        conditionResults: [{ condition: '[STATUS] < 600', success: true }],
        success: true,
        timestamp: '2026-11-27T10:45:52.94181857Z',
      },
    ],
  },
  {
    name: 'api',
    group: 'shop',
    key: 'shop_api',
    results: [
      {
        status: 503,
        hostname: '127.0.0.1',
        duration: 1184407,
        conditionResults: [{ condition: '[STATUS] (503) == 200', success: false }],
        success: false,
        timestamp: '2026-11-27T10:45:52.731775243Z',
      },
    ],
  },
];

export class FakeGatus {
  /** Results of each endpoint, the newest last; the key is `<group>_<name>`. */
  readonly results = new Map<string, boolean[]>();
  readonly requests: string[] = [];
  /** Responds with this status instead, while it is set. */
  status: number | undefined;

  /** @param pageSize results of each endpoint */
  list(pageSize: number): Endpoint[] {
    return [...this.results].map(([key, all]) => {
      const [group = '', name = ''] = key.split('_');
      const results = all.slice(-pageSize).map((success) => ({ success }));
      return { name, ...(group !== '' && { group }), key, results };
    });
  }

  /** @returns its URL, until the end of the test */
  listen(): Promise<string> {
    return urlOf(
      createServer(({ url = '' }, res) => {
        this.requests.push(url);
        const pageSize = Number(new URL(url, 'http://gatus').searchParams.get('pageSize'));
        res
          .writeHead(this.status ?? 200, { 'Content-Type': 'application/json' })
          .end(this.status === undefined ? JSON.stringify(this.list(pageSize)) : 'Unauthorized');
      })
    );
  }
}
