import { createServer, type RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { portOf } from '../../listening.testing.ts';
import { readAddressRules } from './addresses.ts';
import { createOutbound, type OutboundError, type OutboundOptions } from './outbound.ts';

/** A real server on 127.0.0.1, which the rules of the test allow. */
const serve = (listener: RequestListener, host?: string, port?: number): Promise<number> =>
  portOf(createServer(listener), host, port);

const resolveTo = (...addresses: string[]) => {
  const asked: string[] = [];
  const lookup = (host: string) => {
    asked.push(host);
    return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  };
  return { asked, lookup };
};

const outbound = (options: Partial<OutboundOptions> = {}) =>
  createOutbound({ allow: readAddressRules(['127.0.0.1']), timeoutMs: 60_000, maxBytes: 1000, ...options });

/** The reason and the words of a refusal. */
async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown as OutboundError
  );
  expect(error?.name).toBe('OutboundError');
  return `${error?.reason}: ${error?.message}`;
}

describe('what is fetched', () => {
  test('sends nothing about the bridge: no cookie, referrer, credentials or name', async () => {
    const port = await serve((req, res) => res.setHeader('set-cookie', 'a=b').end(JSON.stringify(req.headers)));
    const { asked, lookup } = resolveTo('127.0.0.1');
    const { fetchGuarded } = outbound({ lookup });
    await fetchGuarded(`http://icons.test:${port}/`, 'icon');
    const answer = await fetchGuarded(`http://icons.test:${port}/x?y=1#z`, 'icon');
    expect(JSON.parse(answer.body.toString())).toEqual({
      host: `icons.test:${port}`,
      'accept-encoding': 'identity',
      connection: expect.any(String),
    });
    expect(answer).toMatchObject({ status: 200, url: `http://icons.test:${port}/x?y=1#z` });
    expect(asked).toEqual(['icons.test', 'icons.test']);
  });

  test('a chain node is queried by POST, with the given headers', async () => {
    const port = await serve((req, res) => {
      let body = '';
      req.on('data', (chunk: Buffer) => (body += chunk.toString()));
      req.on('end', () => res.end(JSON.stringify([req.method, req.headers.authorization, body])));
    });
    const answer = await outbound().fetchGuarded(`http://127.0.0.1:${port}/`, 'chain node', {
      method: 'POST',
      headers: { authorization: 'Basic eDp5', 'content-type': 'application/json' },
      body: '{}',
    });
    expect(JSON.parse(answer.body.toString())).toEqual(['POST', 'Basic eDp5', '{}']);
  });

  test('an error status is a response', async () => {
    const port = await serve((_req, res) => res.writeHead(404).end('no'));
    expect(await outbound().fetchGuarded(`http://127.0.0.1:${port}/`, 'icon')).toMatchObject({ status: 404 });
  });
});

describe('where the bridge does not go', () => {
  test.each([
    'ftp://example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'gopher://x/',
    '//example.org/',
    '/icon.png',
    'nothing',
    'http://user:pass@example.org/',
    'http://user@example.org/',
    'http://[fe80::1%25eth0]/',
    'http://[fe80::1%eth0]/',
  ])('%s', async (url) => {
    expect(await refusal(outbound().fetchGuarded(url, 'icon'))).toContain('address: The address of the icon');
  });

  test.each([
    ['decimal', 'http://2130706433/'],
    ['octal', 'http://0177.0.0.1/'],
    ['octal, one number', 'http://017700000001/'],
    ['hexadecimal', 'http://0x7f000001/'],
    ['mixed', 'http://0x7f.1/'],
    ['short', 'http://127.1/'],
    ['with a dot at the end', 'http://127.0.0.1./'],
    ['full-width digits', 'http://１２７.0.0.1/'],
    ['IPv6', 'http://[::1]/'],
    ['IPv4 in IPv6', 'http://[::ffff:127.0.0.1]/'],
    ['this host', 'http://0/'],
    ['NAT64', 'http://[64:ff9b::7f00:1]/'],
    ['metadata', 'http://169.254.169.254/latest/meta-data/'],
    ['metadata, decimal', 'http://2852039166/'],
  ])('an address in another spelling: %s', async (_kind, url) => {
    const { asked, lookup } = resolveTo('8.8.8.8');
    const guarded = outbound({ allow: readAddressRules([]), lookup });
    expect(await refusal(guarded.fetchGuarded(url, 'icon'))).toContain('address: The bridge does not connect to');
    expect(asked).toEqual([]);
  });

  test.each([['127.0.0.1'], ['10.0.0.1'], ['::1'], ['fe80::1%lo'], ['169.254.169.254'], ['::ffff:10.0.0.1'], []])(
    'a name that resolves to %s',
    async (...addresses) => {
      const guarded = outbound({ allow: readAddressRules([]), lookup: resolveTo(...addresses).lookup });
      expect(await refusal(guarded.fetchGuarded('http://icons.test/', 'icon'))).toContain(
        'does not connect to icons.test'
      );
    }
  );

  test('localhost, by the resolver of the system', async () => {
    const guarded = outbound({ allow: readAddressRules([]) });
    expect(await refusal(guarded.fetchGuarded('http://localhost:1/', 'icon'))).toMatch(/loopback/);
  });
});

describe('name rebinding', () => {
  test('a name is resolved once, and the connection goes to the address that was checked', async () => {
    const port = await serve((_req, res) => res.end('reached'));
    let times = 0;
    // Allowed when checked, another address afterwards: the system's resolver does not know the name.
    const lookup = () => {
      times += 1;
      return Promise.resolve([{ address: times === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]);
    };
    const answer = await outbound({ lookup }).fetchGuarded(`http://rebind.test:${port}/`, 'icon');
    expect(answer.body.toString()).toBe('reached');
    expect(times).toBe(1);
  });

  test('of several addresses only those that are allowed are tried', async () => {
    const port = await serve((_req, res) => res.end('reached'));
    await serve((_req, res) => res.end('must not be reached'), '127.0.0.2', port);
    const { lookup } = resolveTo('127.0.0.2', '127.0.0.1');
    const answer = await outbound({ lookup }).fetchGuarded(`http://mixed.test:${port}/`, 'icon');
    expect(answer.body.toString()).toBe('reached');
  });
});

describe('redirects', () => {
  const redirectTo = (location: string) => serve((_req, res) => res.writeHead(302, { location }).end());

  test.each([
    ['http://169.254.169.254/latest/meta-data/', 'credentials'],
    ['http://127.0.0.2/', 'loopback'],
    ['//10.0.0.1/', 'private'],
    ['file:///etc/passwd', 'http: or https:'],
    ['http://a:b@127.0.0.1/', 'a user name'],
  ])('to %s are judged again', async (location, why) => {
    const port = await redirectTo(location);
    expect(await refusal(outbound().fetchGuarded(`http://127.0.0.1:${port}/`, 'icon'))).toMatch(
      new RegExp(`^address: .*${why}`)
    );
  });

  test('to a name are checked by what the name resolves to', async () => {
    const port = await redirectTo('http://inner.test/');
    const lookup = () => Promise.resolve([{ address: '192.168.0.1', family: 4 }]);
    expect(await refusal(outbound({ lookup }).fetchGuarded(`http://127.0.0.1:${port}/`, 'icon'))).toContain(
      'inner.test'
    );
  });

  test('three are followed, a fourth is not', async () => {
    const port = await serve((req, res) => {
      const left = Number(req.url?.slice(1));
      if (left === 0) {
        res.end('there');
      } else {
        res.writeHead(307, { location: `/${left - 1}` }).end();
      }
    });
    const { fetchGuarded } = outbound();
    expect((await fetchGuarded(`http://127.0.0.1:${port}/3`, 'icon')).body.toString()).toBe('there');
    expect(await refusal(fetchGuarded(`http://127.0.0.1:${port}/4`, 'icon'))).toContain('redirect: ');
  });

  test('are not followed with what was meant for the first host', async () => {
    const port = await redirectTo('http://127.0.0.1:1/');
    const post = outbound().fetchGuarded(`http://127.0.0.1:${port}/`, 'chain node', { method: 'POST', body: '{}' });
    expect(await refusal(post)).toContain('redirect: ');
    const withHeader = outbound().fetchGuarded(`http://127.0.0.1:${port}/`, 'chain node', {
      headers: { authorization: 'x' },
    });
    expect(await refusal(withHeader)).toContain('redirect: ');
  });
});

describe('limits', () => {
  test('a body that is too large is not read to its end', async () => {
    let sent = 0;
    const port = await serve((_req, res) => {
      const chunk = Buffer.alloc(64 * 1024);
      const more = (): void => {
        while (!res.destroyed) {
          sent += chunk.length;
          if (!res.write(chunk)) {
            res.once('drain', more);
            return;
          }
        }
      };
      more();
    });
    expect(await refusal(outbound().fetchGuarded(`http://127.0.0.1:${port}/`, 'icon'))).toBe(
      'too-large: The icon is larger than 1000 bytes.'
    );
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  test.each<[string, RequestListener]>([
    ['says nothing', () => undefined],
    ['begins and stops', (_req, res) => void res.write('x')],
    [
      'drips',
      (_req, res) => {
        const timer = setInterval(() => res.write('x'), 20);
        res.on('close', () => clearInterval(timer));
      },
    ],
  ])('a server that %s is given up on', async (_kind, listener) => {
    const port = await serve(listener);
    expect(await refusal(outbound({ timeoutMs: 200 }).fetchGuarded(`http://127.0.0.1:${port}/`, 'icon'))).toContain(
      'timeout: '
    );
  });

  test('a resolver that says nothing is given up on', async () => {
    const guarded = outbound({ timeoutMs: 200, lookup: () => new Promise(() => undefined) });
    expect(await refusal(guarded.fetchGuarded('http://icons.test/', 'icon'))).toBe(
      'timeout: Fetching the icon at icons.test took longer than 0.2 s.'
    );
  });

  test('failures are reported as sentences, without path and query', async () => {
    const server = createServer(() => undefined);
    const port = await portOf(server);
    server.close();
    const gone = await refusal(outbound().fetchGuarded(`http://127.0.0.1:${port}/secret?key=1`, 'icon'));
    expect(gone).toBe(`unreachable: Could not fetch the icon at 127.0.0.1:${port}: ECONNREFUSED.`);
    const unknown = outbound({ lookup: () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' })) });
    expect(await refusal(unknown.fetchGuarded('http://nowhere.test/', 'icon'))).toBe(
      'name: There is no host nowhere.test (for the icon).'
    );
  });
});
