/** The attacks of the soak test, each in a separate thread. */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { OPERATIONS } from '../../backend-bridge/contract/api.ts';
import type { Operation } from '../../backend-bridge/contract/operation.ts';
import { ADMIN_TOKEN } from './bridge.ts';
import { readGreedily } from './greedy.ts';

export type Attack = 'fuzz' | 'streams' | 'storms' | 'readers';
export interface AttackReport {
  kind: Attack;
  counts: Record<string, number>;
  /** Responses that no request may cause, with the request. */
  unexpected: string[];
}

const STREAMS = 200;
const READERS = 50;
const PERSONS = 20;
const STORM_ALERTS = 5_000;
const STORM_EVERY_MS = 15_000;
const FUZZERS = 4;
const FUZZ_PAUSE_MS = 5;

const person = (number: number): Record<string, string> => ({
  'X-Grafana-Context': JSON.stringify({
    OrgID: 1,
    OrgRole: 'Admin',
    UserID: number,
    UserUID: `person-${number}`,
    Login: `person-${number}`,
  }),
});

/** Runs one attack until the time is up. */
export async function attack(kind: Attack, url: string, until: number): Promise<AttackReport> {
  const report: AttackReport = { kind, counts: {}, unexpected: [] };
  const count = (name: string): void => {
    report.counts[name] = (report.counts[name] ?? 0) + 1;
  };
  const run = { fuzz, streams, storms, readers }[kind];
  await run(url, until, count, (line) => report.unexpected.push(line));
  return report;
}

type Run = (
  url: string,
  until: number,
  count: (name: string) => void,
  unexpected: (line: string) => void
) => Promise<void>;

const HOSTILE = [
  '',
  '0',
  '-1',
  '%00',
  '..%2f..%2fetc%2fpasswd',
  '__proto__',
  'constructor',
  '🦊',
  'x'.repeat(3_000),
  '1',
  '2',
  'honest',
];
const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme', maxLength: 60 }));
/** Possible values, and some that are close to valid ones of the operation. */
const json = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        title: fc.oneof(text, fc.jsonValue()),
        body: fc.oneof(text, fc.constant('x'.repeat(100_000))),
        category: text,
        dnpName: text,
        correlationId: text,
        priority: fc.constantFrom('low', 'critical', 'CRITICAL', 'none'),
        status: fc.constantFrom('triggered', 'resolved', 'firing'),
        isBanner: fc.oneof(fc.boolean(), text),
        icon: fc.constantFrom('/logout', 'http://127.0.0.1:9/x.png', 'javascript:alert(1)'),
        ids: fc.array(fc.integer({ min: -1, max: 5_000 }), { maxLength: 20 }),
        seen: fc.boolean(),
        enabled: fc.boolean(),
        url: fc.constantFrom('http://127.0.0.1:9/', 'http://169.254.169.254/', 'file:///etc/passwd'),
        alerts: fc.array(fc.record({ status: text, labels: fc.dictionary(text, fc.jsonValue()), startsAt: text }), {
          maxLength: 5,
        }),
        values: fc.jsonValue(),
      },
      { requiredKeys: [] }
    ),
  }
);
const bodies = fc.oneof(
  { weight: 8, arbitrary: json.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string({ maxLength: 200 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 50_000 }).map((depth) => '['.repeat(depth)) }
);

const fuzz: Run = async (url, until, count, unexpected) => {
  const requests = fc.record({
    operation: fc.constantFrom(...OPERATIONS),
    parameter: text,
    query: fc.dictionary(fc.constantFrom('limit', 'category', 'q', 'cursor', 'from', 'seen', 'status', 'x'), text, {
      maxKeys: 3,
    }),
    body: bodies,
    as: fc.integer({ min: 0, max: 500 }),
  });
  const one = async (): Promise<void> => {
    while (Date.now() < until) {
      for (const { operation, parameter, query, body, as } of fc.sample(requests, 50)) {
        if (Date.now() >= until) {
          return;
        }
        await send(url, operation, { parameter, query, body, as }, count, unexpected);
        await wait(FUZZ_PAUSE_MS);
      }
    }
  };
  await Promise.all(Array.from({ length: FUZZERS }, one));
};

interface Fuzzed {
  parameter: string;
  query: Record<string, string>;
  body: string;
  as: number;
}

async function send(
  url: string,
  operation: Operation,
  { parameter, query, body, as }: Fuzzed,
  count: (name: string) => void,
  unexpected: (line: string) => void
): Promise<void> {
  const path = operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(parameter.toWellFormed()));
  const search = new URLSearchParams(query);
  const method = operation.method.toUpperCase();
  try {
    const response = await fetch(`${url}${path}?${search}`, {
      method,
      headers: {
        Authorization: `Bearer ${ADMIN_TOKEN}`,
        'Content-Type': operation.body?.mediaType ?? 'application/json',
        ...person(as),
      },
      // An event stream does not end on its own.
      signal: AbortSignal.timeout(path.endsWith('/events') ? 500 : 60_000),
      ...(method !== 'GET' && { body }),
    });
    count(String(response.status));
    if (response.status >= 500 && response.status !== 503) {
      unexpected(`${response.status} ${method} ${path.slice(0, 200)} ${body.slice(0, 300)}`);
    }
    await response.arrayBuffer();
  } catch (error) {
    const { name } = error as Error;
    count(name);
    if (name !== 'TimeoutError' && !path.endsWith('/events')) {
      unexpected(
        `${String(error)} ${String((error as Error).cause)} ${method} ${path.slice(0, 200)} ${body.slice(0, 300)}`
      );
    }
  }
}

/** Half of the streams read; the others leave everything in the kernel's buffers. Closed ones reconnect. */
const streams: Run = async (url, until, count) => {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  const start = (number: number): void => {
    const socket = connect({ host: hostname, port: Number(port) });
    open.add(socket);
    const headers = Object.entries({
      Host: `${hostname}:${port}`,
      Authorization: `Bearer ${ADMIN_TOKEN}`,
      ...person(number % PERSONS),
    });
    socket.write(
      `GET /api/v1/events HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`
    );
    if (number % 2 === 0) {
      socket.pause();
    } else {
      socket.resume();
    }
    socket.on('error', () => count('stream errors'));
    socket.once('close', () => {
      open.delete(socket);
      count('streams ended');
      if (Date.now() < until) {
        setTimeout(start, 500, number);
      }
    });
  };
  Array.from({ length: STREAMS }, (_, number) => start(number));
  await wait(Math.max(0, until - Date.now()));
  count(`streams open at the end: ${open.size}; times`);
  open.forEach((socket) => socket.destroy());
};

/** Many alerts in one webhook, large notifications, and deletions of all of them. */
const storms: Run = async (url, until, count, unexpected) => {
  const post = async (path: string, body: unknown): Promise<void> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    count(`${path} ${response.status}`);
    if (response.status >= 500 && response.status !== 503) {
      unexpected(`${response.status} ${path}`);
    }
    await response.arrayBuffer();
  };
  for (let round = 0; Date.now() < until; round += 1) {
    const alerts = Array.from({ length: STORM_ALERTS }, (_, index) => ({
      status: round % 3 === 2 ? 'resolved' : 'firing',
      labels: { alertname: `Storm ${index}`, category: `storm-${index % 40}`, dnpName: 'storm' },
      annotations: { summary: `Storm ${index} of round ${round}` },
      startsAt: new Date(Date.now() - 1_000).toISOString(),
      fingerprint: `storm-${index}-${Math.floor(round / 3)}`,
    }));
    await post('/webhooks/alertmanager', { version: '4', status: 'firing', receiver: 'soak', alerts });
    for (let large = 0; large < 5; large += 1) {
      await post('/notifications', { title: `Large ${large}`, body: 'x'.repeat(900_000), category: 'large' });
    }
    await wait(Math.min(STORM_EVERY_MS, Math.max(0, until - Date.now())));
    await post('/notifications/delete', { filter: { category: [`storm-${round % 40}`, 'large'] } });
  }
};

/** Each user has one list in flight, all the time. */
const readers: Run = async (url, until, count) => {
  readGreedily({ url, lists: READERS, users: READERS }, (status) => count(`lists ${status}`));
  await wait(Math.max(0, until - Date.now()));
};
