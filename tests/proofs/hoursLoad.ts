/** The load of a busy node, paced by a clock that runs faster. */
import { setTimeout as wait } from 'node:timers/promises';
import { ADMIN_TOKEN } from '../bench/bridge.ts';
import { monitor } from './hoursAlerts.ts';
import { type LoadOptions, type Shared, startParts } from './hoursParts.ts';

const MAX_NAMED = 20;

/** Finished actions by kind. */
export type LoadCounts = Record<string, number>;

export interface Load {
  /** Resolves when the clock shows this time. */
  until(at: number): Promise<void>;
  /** Resolves when all of its parts have ended. */
  end(): Promise<LoadCounts>;
  /** Responses that it may not get. */
  readonly mistakes: readonly string[];
}

export async function startLoad(options: LoadOptions): Promise<Load> {
  const counts: LoadCounts = {};
  const mistakes: string[] = [];
  let isEnded = false;
  const { url, clock, speed, end } = options;
  const isOver = (): boolean => isEnded || clock() >= end;
  const until = (at: number): Promise<void> => wait(Math.max(0, (at - clock()) / speed));
  const mistake = (line: string): void => void (mistakes.length < MAX_NAMED && mistakes.push(line));
  const shared: Shared = {
    ...options,
    count: (name, by = 1) => void (counts[name] = (counts[name] ?? 0) + by),
    mistake,
    until,
    isOver,
    async every(ms, work) {
      for (let at = clock() + ms, turn = 0; ; at = Math.max(at + ms, clock()), turn += 1) {
        await until(Math.min(at, end));
        if (isOver()) {
          return;
        }
        await work(turn).catch((error: unknown) => mistake(String(error)));
      }
    },
    async call(method, path, { body, headers = {}, allowed = [200] } = {}) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!allowed.includes(response.status)) {
        throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
      }
      return { status: response.status, json: JSON.parse(text) as unknown };
    },
  };
  await shared.call('PUT', '/api/v1/retention', { body: { maxNotifications: options.kept } });
  const parts = [...startParts(shared), monitor(shared)];
  return {
    until,
    mistakes,
    async end() {
      isEnded = true;
      await Promise.all(parts);
      return counts;
    },
  };
}
