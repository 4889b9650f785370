/** Resolves threads whose cause is gone: on the replica that leads. */
import { LIMITS } from '../../../contract/limits.ts';
import type { Core } from '../../platform/core/area.ts';
import { repeat } from '../../platform/runtime/repeat.ts';
import type { Routes } from '../notifications/receiving.ts';
import { type Gone, isNotDeleted, resolveDue, resolveGone } from './writes.ts';

const CHECK_MS = 1000;

/** @param routes give the channels on which the threads were announced */
export class AutoResolve {
  readonly #core: Core;
  readonly #routes: Pick<Routes, 'byHand'>;

  constructor(core: Core, routes: Pick<Routes, 'byHand'>) {
    this.#core = core;
    this.#routes = routes;
  }

  /** Resolves what is due, until the function that it returns is called. */
  lead(): () => void {
    return repeat('resolve threads without news', CHECK_MS, () => this.tick(), this.#core.log);
  }

  async tick(): Promise<void> {
    const { db, steady, writes } = this.#core;
    const due = await db
      .selectFrom('auto_resolve as a')
      .select('a.thread_id')
      .where('a.due_ts', '<=', steady())
      .where(isNotDeleted)
      .limit(1)
      .executeTakeFirst();
    let more = due !== undefined;
    while (more) {
      ({ more } = await writes.submit(resolveDue, { ...this.#when(), limit: LIMITS.sliceItems.value }));
    }
  }

  /** Resolves the threads of these notifications, unless something newer has arrived. */
  readonly resolve = async (gone: readonly Gone[]): Promise<void> => {
    if (gone.length > 0) {
      await this.#core.writes.submit(resolveGone, { gone, ...this.#when() });
    }
  };

  #when() {
    const { now, steady } = this.#core;
    return { now: now(), steady: steady(), destinations: this.#routes.byHand() };
  }
}
