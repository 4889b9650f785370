/** Elects the replica that does work which only one may do: polling nodes, configuring monitors, provisioning, cleaning. */
import { createSerial } from '../runtime/serial.ts';

/** Runs work only while this replica leads. */
export interface Leadership {
  /**
   * A number for as long as this replica leads without a break, another one each time; undefined while it does not lead, or cannot
   * confirm that it does. To be read before each action.
   */
  term(): number | undefined;
  /** Called after each change of the term. */
  onChange(listener: () => void): void;
}

/** A bridge without replicas. */
export const ALWAYS_LEADS: Leadership = { term: () => 1, onChange: () => undefined };

/** Interval of starting work that does not run in the term: its start failed, or a busy process confirmed the term late. Milliseconds. */
const RETRY_MS = 2000;

export interface LedWork {
  /** For work that needs this one first: leads after each start, also one that failed, so that it delays the other but cannot prevent it. */
  afterStart: Leadership;
  /** Stops the work for good. */
  stop: () => Promise<void>;
}

/**
 * Runs work while this replica leads: it is started in each term, and stopped after it.
 * @param start resolves to what stops the work
 * @returns after the first start, where this replica leads already
 * @throws as the first start
 */
export async function whileLeading(
  leadership: Leadership,
  start: (term: number) => Promise<() => Promise<void>>,
  log: { error(fields: object, message: string): void }
): Promise<LedWork> {
  let tried: number | undefined;
  const listeners: (() => void)[] = [];
  let running: { term: number; stop: () => Promise<void> } | undefined;
  let closed = false;
  const inTurn = createSerial();

  const follow = async (): Promise<void> => {
    const term = closed ? undefined : leadership.term();
    if (running !== undefined && running.term !== term) {
      const { stop } = running;
      running = undefined;
      await stop();
    }
    if (term !== undefined && running === undefined) {
      try {
        running = { term, stop: await start(term) };
      } finally {
        tried = term;
        listeners.forEach((listener) => listener());
      }
    }
  };
  const next = (): Promise<void> =>
    inTurn(follow).catch((error: unknown) =>
      log.error({ err: error }, 'could not start or stop the work of the leader; retrying')
    );

  leadership.onChange(() => void next());
  await inTurn(follow);
  const retry = setInterval(() => {
    const term = leadership.term();
    if (term !== undefined && running?.term !== term) {
      void next();
    }
  }, RETRY_MS);
  retry.unref();
  return {
    afterStart: {
      term() {
        const term = leadership.term();
        return term === tried ? term : undefined;
      },
      onChange(listener) {
        leadership.onChange(listener);
        listeners.push(listener);
      },
    },
    async stop() {
      closed = true;
      clearInterval(retry);
      await next();
    },
  };
}
