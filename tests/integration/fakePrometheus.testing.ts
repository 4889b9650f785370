/** Simulates the range queries of Prometheus' HTTP API; tests/real uses a real Prometheus. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { urlOf } from '../../backend-bridge/src/listening.testing.ts';

export interface Asked {
  path: string | undefined;
  headers: IncomingHttpHeaders;
  form: Record<string, string>;
}

export interface FakePrometheus {
  url: string;
  /** Queries received, in order. */
  asked: Asked[];
  /** The next responses, of which the last is repeated; undefined: the value 50 at each step. */
  answer: { status: number; body: string } | undefined;
}

const matrix = (values: [number, string][][]): string =>
  JSON.stringify({
    status: 'success',
    data: { resultType: 'matrix', result: values.map((one) => ({ metric: {}, values: one })) },
  });

export const answerWith = (...values: [number, string][][]) => ({ status: 200, body: matrix(values) });

export async function startFakePrometheus(): Promise<FakePrometheus> {
  const fake: FakePrometheus = { url: '', asked: [], answer: undefined };
  const server = createServer((req, res) => {
    let text = '';
    req.on('data', (chunk: Buffer) => (text += chunk.toString()));
    req.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(text));
      fake.asked.push({ path: req.url, headers: req.headers, form });
      const { status, body } = fake.answer ?? answerWith(steady(form));
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
    });
  });
  fake.url = await urlOf(server);
  return fake;
}

function steady({ start, end, step }: Record<string, string>): [number, string][] {
  const length = (Number(end) - Number(start)) / Number(step) + 1;
  return Array.from({ length }, (_, index) => [Number(start) + index * Number(step), '50']);
}
