/** The silences of Alertmanager's API: in memory for every alert, and stored. */
import type { Actor } from '../../../contract/audit.ts';
import type { AmSilenceBody } from '../../../contract/alertmanager.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { HttpProblem, invalid } from '../../platform/http/problem.ts';
import { createSerial } from '../../platform/runtime/serial.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import type { Labels } from '../../../contract/matchers.ts';
import {
  type CompiledSilence,
  compileSilence,
  expire,
  setSilence,
  type SilenceChange,
  stateOf,
  type StoredSilence,
} from './silence.ts';
import { keepSilences, readSilenceRows } from './writes.ts';

export interface SilencesDeps {
  db: Database;
  writes: Pick<WriteQueue, 'submit'>;
  /** UTC milliseconds. */
  now: () => number;
}

export class Silences {
  readonly #deps: SilencesDeps;
  readonly #all = new Map<string, CompiledSilence>();
  /** So that an earlier read does not replace a later one. */
  readonly #inTurn = createSerial();

  constructor(deps: SilencesDeps) {
    this.#deps = deps;
  }

  /** Reads what is stored. */
  load(): Promise<void> {
    return this.#inTurn(async () => {
      const rows = await readSilenceRows(this.#deps.db);
      this.#all.clear();
      rows.forEach((silence) => this.#all.set(silence.id, compileSilence(silence)));
    });
  }

  /** All of them, also expired ones. */
  list(): StoredSilence[] {
    return [...this.#all.values()].map(({ silence }) => silence);
  }

  find(id: string): StoredSilence | undefined {
    return this.#all.get(id)?.silence;
  }

  /** An active silence that matches. */
  covering(labels: Labels): StoredSilence | undefined {
    return this.active().find(({ covers }) => covers(labels))?.silence;
  }

  activeIds(): string[] {
    return this.active().map(({ silence }) => silence.id);
  }

  active(): CompiledSilence[] {
    const now = this.#deps.now();
    return [...this.#all.values()].filter(({ silence }) => stateOf(silence, now) === 'active');
  }

  /**
   * Creates or changes one.
   * @param by undefined: the caller records the change
   * @returns its id
   * @throws HttpProblem 404 if it is to be changed and unknown, 400 if it is invalid or there are too many
   */
  async set(wanted: AmSilenceBody, by: Actor | null | undefined): Promise<string> {
    const now = this.#deps.now();
    const known = wanted.id ? this.#known(wanted.id) : undefined;
    const change = compiled(() => setSilence(wanted, known, now));
    const unexpired = this.list().filter((one) => stateOf(one, now) !== 'expired').length;
    if (known === undefined && unexpired >= LIMITS.silences.value) {
      throw wrong(`there are ${unexpired} silences that have not expired; allowed are ${LIMITS.silences.value}`);
    }
    const saved = change.ended ? [change.ended, change.saved] : [change.saved];
    await this.#keep(saved, by);
    return change.saved.id;
  }

  /** Ends one; one that has expired stays as it is. @throws HttpProblem 404 if it is unknown */
  async end(id: string, by: Actor | null | undefined): Promise<void> {
    const now = this.#deps.now();
    const known = this.#known(id);
    if (stateOf(known, now) !== 'expired') {
      await this.#keep([expire(known, now)], by);
    }
  }

  #known(id: string): StoredSilence {
    const known = this.find(id);
    if (known === undefined) {
      throw new HttpProblem('not-found', `silence ${id} not found`);
    }
    return known;
  }

  async #keep(saved: StoredSilence[], by: Actor | null | undefined): Promise<void> {
    await this.#deps.writes.submit(keepSilences, { saved, by, now: this.#deps.now() });
    saved.forEach((silence) => this.#all.set(silence.id, compileSilence(silence)));
  }
}

const wrong = (detail: string): HttpProblem =>
  invalid([{ pointer: '', found: 'this silence', allowed: 'a valid silence', detail: `invalid silence: ${detail}` }]);

/** @throws HttpProblem 400 if the change is invalid or a regular expression is */
function compiled(change: () => SilenceChange | string): SilenceChange {
  let result: SilenceChange | string;
  try {
    result = change();
  } catch (error) {
    result = (error as Error).message;
  }
  if (typeof result === 'string') {
    throw wrong(result);
  }
  return result;
}
