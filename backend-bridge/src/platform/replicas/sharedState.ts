/**
 * State of the leader that the other replicas show: states of nodes, of monitors and of provisioning. A row for each entry, so that a
 * change of one is a small write; followers read what has changed when they need it.
 */
import { LIMITS } from '../../../contract/limits.ts';
import { createSerial } from '../runtime/serial.ts';
import { inList } from '../storage/bulk.ts';
import type { Database } from '../storage/engine.ts';
import type { WriteQueue } from '../storage/writeQueue.ts';
import { type SharedScope, shareState } from './writes.ts';

/** The entries of a scope, in the order of their names. */
export type SharedReader<T> = ReturnType<typeof createSharedReader<T>>;

/** Reads rows whose revision has changed. */
export function createSharedReader<T>(db: Database, scope: SharedScope) {
  let known = new Map<string, { revision: string; value: T }>();
  const inTurn = createSerial();

  const read = async (): Promise<ReadonlyMap<string, T>> => {
    const rows = () => db.selectFrom('shared_state').where('scope', '=', scope).orderBy('name');
    const headers = await rows().select(['name', 'revision']).execute();
    const changed = headers.filter(({ name, revision }) => known.get(name)?.revision !== revision);
    const found = new Map(
      changed.length === 0
        ? []
        : (
            await rows()
              .select(['name', 'revision', 'value'])
              .where(
                inList(
                  'name',
                  changed.map(({ name }) => name)
                )
              )
              .execute()
          ).map(({ name, revision, value }) => [name, { revision, value: JSON.parse(value) as T }])
    );
    known = new Map(
      headers.flatMap(({ name }) => {
        const entry = found.get(name) ?? known.get(name);
        return entry === undefined ? [] : [[name, entry]];
      })
    );
    return new Map([...known].map(([name, { value }]) => [name, value]));
  };

  return {
    // A request that comes during a read may follow a newer commit: it reads again.
    /** The entries as they are now. Those that are unchanged are the same objects as before. */
    read: () => inTurn(read),
  };
}

export interface SharedWriterDeps {
  scope: SharedScope;
  /** Identifies the term. */
  leader: string;
  writes: Pick<WriteQueue, 'submit'>;
  log: { warn(fields: object, message: string): void };
}

/** Writes the entries of a scope for one term. */
export type SharedWriter = ReturnType<typeof createSharedWriter>;

/** Collects entries and writes those that have changed, in one term of the leader. */
export function createSharedWriter({ scope, leader, writes, log }: SharedWriterDeps) {
  /** JSON by name; null: removed. */
  const pending = new Map<string, string | null>();
  const written = new Map<string, string>();
  let isFirst = true;
  const inTurn = createSerial();

  const write = async (reports: boolean): Promise<void> => {
    for (let report = reports; ;) {
      const changed = [...pending].filter(([name, value]) => value !== (written.get(name) ?? null));
      if (changed.length === 0 && !report && !isFirst) {
        pending.clear();
        return;
      }
      const entries = changed.slice(0, LIMITS.sharedEntries.value);
      const isLast = entries.length === changed.length;
      await writes.submit(shareState, { leader, scope, reset: isFirst, entries, report: report && isLast });
      isFirst = false;
      report &&= !isLast;
      entries.forEach(([name, value]) => (value === null ? written.delete(name) : written.set(name, value)));
    }
  };

  return {
    /** Undefined removes the entry. Written with the next {@link flush}. */
    set(name: string, value: object | undefined): void {
      const text = value === undefined ? null : JSON.stringify(value);
      if (text !== null && text.length > LIMITS.sharedEntryBytes.value) {
        log.warn({ scope, name, characters: text.length }, 'state too large to share with other replicas');
        return;
      }
      pending.set(name, text);
    },
    /**
     * Writes what has changed. Never rejects: what could not be written is written by the next call.
     * @param report notifies pages that settings were applied in a monitor
     */
    flush: (report = false) =>
      inTurn(() => write(report)).catch((error: unknown) =>
        log.warn({ err: error, scope }, 'could not share the state of the leader')
      ),
  };
}
