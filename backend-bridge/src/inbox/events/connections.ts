/** Open streams. Unread bytes are limited per stream and in total; a stream beyond a limit is disconnected. */
import type { ServerResponse } from 'node:http';
import type { Person } from '../../platform/http/guard.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { createBudget } from '../../platform/runtime/budget.ts';

/** Overhead of Node per write, so that many small events count as well. Bytes. */
const WRITE_OVERHEAD = 512;

export interface Connection {
  /** False after either side has closed it. */
  readonly open: boolean;
  /** Bytes not yet written to the system. */
  readonly unread: number;
  /** Chunks are not copied: several connections may be sent the same one. */
  write(chunk: Buffer): void;
  /** Resolves when nothing is unread, or the connection has ended. */
  flushed(): Promise<void>;
  /** Closes the connection; unread bytes are discarded. */
  end(): void;
}

export interface ConnectionLimits {
  /** Unread bytes of one connection; larger than any chunk, so that one that reads is never ended. */
  perStream: number;
  /** Unread bytes of all connections. */
  inTotal: number;
  /** Calls of {@link Connections.sweep} for which a connection may leave bytes unread without reading any. */
  stalledSweeps: number;
}

export interface Connections {
  add(res: ServerResponse): Connection;
  /** Ends connections that have stalled, and writes a heartbeat to those that have read everything. */
  sweep(heartbeat: Buffer): void;
  readonly size: number;
  /** Unread bytes of all. */
  readonly unread: number;
  /** Ends all in good order. */
  close(): void;
}

export function createConnections({ perStream, inTotal, stalledSweeps }: ConnectionLimits): Connections {
  const budget = createBudget(inTotal);
  const all = new Set<StreamConnection>();

  class StreamConnection implements Connection {
    open = true;
    unread = 0;
    /** Sweeps since it read anything. */
    idle = 0;
    readonly res: ServerResponse;
    #waiting: Array<() => void> = [];

    constructor(res: ServerResponse) {
      this.res = res;
      res.on('close', () => this.end());
      res.on('error', () => this.end());
    }

    write(chunk: Buffer): void {
      const size = chunk.length + WRITE_OVERHEAD;
      if (this.open && this.unread + size > perStream) {
        this.end();
      }
      while (this.open && !budget.take(size)) {
        slowest()?.end();
      }
      if (!this.open) {
        return;
      }
      this.idle = this.unread === 0 ? 0 : this.idle;
      this.unread += size;
      this.res.write(chunk, () => this.#taken(size));
    }

    #taken(size: number): void {
      if (!this.open) {
        return; // all of it was released at the end
      }
      budget.release(size);
      this.unread -= size;
      this.idle = 0;
      if (this.unread === 0) {
        this.#wake();
      }
    }

    async flushed(): Promise<void> {
      if (this.open && this.unread > 0) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    }

    end(): void {
      this.release();
      this.res.destroy();
    }

    release(): void {
      this.open = false;
      all.delete(this);
      budget.release(this.unread);
      this.unread = 0;
      this.#wake();
    }

    #wake(): void {
      this.#waiting.splice(0).forEach((resolve) => resolve());
    }
  }

  const slowest = (): StreamConnection | undefined =>
    [...all].reduce<StreamConnection | undefined>(
      (most, one) => (most === undefined || one.unread > most.unread ? one : most),
      undefined
    );

  return {
    add(res) {
      const connection = new StreamConnection(res);
      all.add(connection);
      return connection;
    },
    sweep(heartbeat) {
      for (const connection of all) {
        if (connection.unread === 0) {
          connection.write(heartbeat);
        } else if (++connection.idle >= stalledSweeps) {
          connection.end();
        }
      }
    },
    get size() {
      return all.size;
    },
    get unread() {
      return budget.used;
    },
    close() {
      for (const connection of all) {
        connection.release();
        connection.res.end();
      }
    },
  };
}

export interface PlaceLimits {
  inTotal: number;
  ofPerson: number;
  unidentified: number;
}

/** Limits how many event streams are open: in total, per person, and without an identity. */
export interface Places {
  /**
   * Takes a place for a stream.
   * @param person undefined: the request names nobody
   * @returns gives the place back; to be called once
   * @throws HttpProblem 503 when there is none left
   */
  take(person: Person | undefined): () => void;
}

/** Anonymous visitors are one person to Grafana, and scripts with the admin token are nobody. */
const UNIDENTIFIED = '';

export function createPlaces(limits: PlaceLimits): Places {
  const taken = new Map<string, number>();
  let total = 0;
  return {
    take(person) {
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
