/** Open streams. Unread bytes are limited per stream and in total; a stream beyond a limit is disconnected. */
import type { ServerResponse } from 'node:http';
import type { Person } from '../../platform/http/guard.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { type Budget, createBudget } from '../../platform/runtime/budget.ts';

/** Overhead of Node per write, so that many small events count as well. Bytes. */
const WRITE_OVERHEAD = 512;

export interface ConnectionLimits {
  /** Unread bytes of one connection; larger than any chunk, so that one that reads is never ended. */
  perStream: number;
  /** Unread bytes of all connections. */
  inTotal: number;
  /** Calls of {@link Connections.sweep} for which a connection may leave bytes unread without reading any. */
  stalledSweeps: number;
}

export class Connections {
  readonly limits: ConnectionLimits;
  readonly budget: Budget;
  readonly #all = new Set<Connection>();

  constructor(limits: ConnectionLimits) {
    this.limits = limits;
    this.budget = createBudget(limits.inTotal);
  }

  get size(): number {
    return this.#all.size;
  }

  /** Unread bytes of all. */
  get unread(): number {
    return this.budget.used;
  }

  add(res: ServerResponse): Connection {
    const connection = new Connection(res, this);
    this.#all.add(connection);
    return connection;
  }

  remove(connection: Connection): void {
    this.#all.delete(connection);
  }

  /** Ends connections that have stalled, and writes a heartbeat to those that have read everything. */
  sweep(heartbeat: Buffer): void {
    for (const connection of this.#all) {
      if (connection.unread === 0) {
        connection.write(heartbeat);
      } else if (++connection.idle >= this.limits.stalledSweeps) {
        connection.end();
      }
    }
  }

  /** The one with the most unread bytes. */
  slowest(): Connection | undefined {
    return [...this.#all].reduce<Connection | undefined>(
      (most, one) => (most === undefined || one.unread > most.unread ? one : most),
      undefined
    );
  }

  /** Ends all in good order. */
  close(): void {
    for (const connection of this.#all) {
      connection.release();
      connection.res.end();
    }
  }
}

export class Connection {
  /** False after either side has closed it. */
  open = true;
  /** Bytes not yet written to the system. */
  unread = 0;
  /** Sweeps since it read anything. */
  idle = 0;
  readonly res: ServerResponse;
  readonly #all: Connections;
  #waiting: Array<() => void> = [];

  constructor(res: ServerResponse, all: Connections) {
    this.res = res;
    this.#all = all;
    res.on('close', () => this.end());
    res.on('error', () => this.end());
  }

  /** Chunks are not copied: several connections may be sent the same one. */
  write(chunk: Buffer): void {
    const { limits, budget } = this.#all;
    const size = chunk.length + WRITE_OVERHEAD;
    if (this.open && this.unread + size > limits.perStream) {
      this.end();
    }
    while (this.open && !budget.take(size)) {
      this.#all.slowest()?.end();
    }
    if (!this.open) {
      return;
    }
    this.idle = this.unread === 0 ? 0 : this.idle;
    this.unread += size;
    this.res.write(chunk, () => this.#taken(size));
  }

  /** Resolves when nothing is unread, or the connection has ended. */
  async flushed(): Promise<void> {
    if (this.open && this.unread > 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Closes the connection; unread bytes are discarded. */
  end(): void {
    this.release();
    this.res.destroy();
  }

  release(): void {
    this.open = false;
    this.#all.remove(this);
    this.#all.budget.release(this.unread);
    this.unread = 0;
    this.#wake();
  }

  #taken(size: number): void {
    if (!this.open) {
      return; // all of it was released at the end
    }
    this.#all.budget.release(size);
    this.unread -= size;
    this.idle = 0;
    if (this.unread === 0) {
      this.#wake();
    }
  }

  #wake(): void {
    this.#waiting.splice(0).forEach((resolve) => resolve());
  }
}

export interface PlaceLimits {
  inTotal: number;
  ofPerson: number;
  unidentified: number;
}

/** Anonymous visitors are one person to Grafana, and scripts with the admin token are nobody. */
const UNIDENTIFIED = '';

/** Limits how many event streams are open: in total, per person, and without an identity. */
export function createPlaces(limits: PlaceLimits) {
  const taken = new Map<string, number>();
  let total = 0;
  return {
    /**
     * Takes a place for a stream.
     * @param person undefined: the request names nobody
     * @returns gives the place back; to be called once
     * @throws HttpProblem 503 when there is none left
     */
    take(person: Person | undefined): () => void {
      const key = person === undefined || person.anonymous ? UNIDENTIFIED : person.key;
      const own = taken.get(key) ?? 0;
      if (key === UNIDENTIFIED && own >= limits.unidentified) {
        throw full(`${own} event streams without an identity are open, the maximum.`);
      }
      if (key !== UNIDENTIFIED && own >= limits.ofPerson) {
        throw full(`You have ${own} event streams open, the maximum for one person.`);
      }
      if (total >= limits.inTotal) {
        throw full(`${total} event streams are open, the maximum.`);
      }
      taken.set(key, own + 1);
      total += 1;
      return () => {
        total -= 1;
        const left = (taken.get(key) ?? 1) - 1;
        if (left > 0) {
          taken.set(key, left);
        } else {
          taken.delete(key);
        }
      };
    },
  };
}

function full(found: string): HttpProblem {
  return new HttpProblem('unavailable', `${found} Poll GET /notifications until one is closed.`, {
    headers: { 'Retry-After': '30' },
  });
}
