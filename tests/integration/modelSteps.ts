/** All changes of an inbox, as steps that apply them to the store and to the model. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Notification, PRIORITIES } from '../../backend-bridge/contract/notification.ts';
import type { NotificationFilter } from '../../backend-bridge/contract/query.ts';
import { category, filter, payload, placed } from './modelValues.ts';
import { isShown, type Kept, type ModelInbox, type Sent } from './model.ts';
import { clock, inbox, readerOf, responding, store, switchCategory } from './modelStore.ts';
import { DAY, HOUR, START } from './support.ts';

export interface World {
  model: ModelInbox;
  /** The last id before this run. */
  before: number;
  /** Deletions, newest last. */
  undos: Array<{ undo: string; until: number; ids: number[] }>;
}
type Step = { name: string; run: (world: World) => Promise<void> };
const step = (name: string, run: Step['run']): Step => ({ name, run });

/** Two Grafana users. */
export const READERS = ['org:1/user:anna', 'org:1/user:bert'] as const;
/** A known reader, or one without a read state. */
const somebody = fc.option(fc.constantFrom(...READERS), { nil: undefined });
const known = (model: ModelInbox, reader: string | undefined): string | undefined =>
  reader !== undefined && model.unread.has(reader) ? reader : undefined;
const met = async (reader: string | undefined) => (reader === undefined ? undefined : readerOf(reader));

const visit = fc.constantFrom(...READERS).map((reader) =>
  step(`${reader} comes`, async ({ model }) => {
    await readerOf(reader);
    model.visit(reader);
  })
);

const receive = fc.array(payload, { minLength: 1, maxLength: 4 }).map((sent) =>
  step(`receive ${JSON.stringify(sent)}`, async ({ model }) => {
    const clean = sent.map((one) => JSON.parse(JSON.stringify(one)) as Sent);
    const received = await inbox.receive(clean.map((one) => ({ payload: one, source: 'api' })));
    received.forEach(({ id }, index) => model.receive(clean[index]!, { id, ts: clock.now }));
  })
);

const pick = fc.nat();
const someOf = (model: ModelInbox, picks: number[]): Kept[] =>
  model.kept.length === 0 ? [] : [...new Set(picks.map((at) => model.kept[at % model.kept.length]!))];
const picks = fc.array(pick, { minLength: 1, maxLength: 4 });

const mark = fc.tuple(picks, fc.boolean(), fc.boolean(), somebody).map(([at, wholeThreads, seen, who]) =>
  step(
    `${who ?? 'nobody'} marks ${at.join()} ${wholeThreads ? 'with their threads ' : ''}${seen ? 'seen' : 'unseen'}`,
    async ({ model }) => {
      const named = someOf(model, at);
      const all =
        wholeThreads && seen
          ? model.kept.filter(
              (one) =>
                named.includes(one) || (one.errors === undefined && named.some((other) => sameThread(one, other)))
            )
          : named;
      const reader = known(model, who);
      const changing = markAs(model, all, seen, reader);
      if (named.length > 0) {
        expect(await inbox.mark({ ids: named.map(({ id }) => id), wholeThreads }, seen, await met(reader))).toEqual({
          changed: changing,
        });
      }
    }
  )
);

/** @returns the number of changed notifications, for the reader or for all */
function markAs(model: ModelInbox, all: Kept[], seen: boolean, reader: string | undefined): number {
  return all.filter((one) => {
    const own = reader !== undefined && isShown(one);
    const before = `${one.seen} ${model.isUnread(one, reader)}`;
    if (own) {
      model.unread.get(reader)![seen ? 'delete' : 'add'](one.id);
    }
    one.seen = seen || (own && one.seen);
    return `${one.seen} ${model.isUnread(one, reader)}` !== before;
  }).length;
}

const sameThread = (a: Kept, b: Kept): boolean => a.dnpName === b.dnpName && a.correlationId === b.correlationId;
const byThread = ({ latest, open }: NotificationFilter): boolean => latest === true || open !== undefined;

const markMatching = fc.tuple(filter, somebody).map(([generated, who]) =>
  step(`${who ?? 'nobody'} marks all that match ${JSON.stringify(generated)}`, async (world) => {
    const { model } = world;
    const asked = placed(generated, world.before);
    const reader = known(model, who);
    const match = (narrower: NotificationFilter) =>
      model.match({ ...asked, ...narrower }, clock.now, reader).map(({ one }) => one);
    const unread = asked.read === true || reader === undefined ? [] : match({ read: false });
    const unseen =
      asked.seen === true || asked.read === true || (reader && asked.read === false) ? [] : match({ seen: false });
    const rows = [...unread, ...unseen];
    const all = byThread(asked)
      ? model.kept.filter(
          (one) => rows.includes(one) || (one.errors === undefined && rows.some((row) => sameThread(row, one)))
        )
      : rows;
    const changed = markAs(model, [...new Set(all)], true, reader);
    expect(await inbox.mark({ filter: asked }, true, await met(reader))).toEqual({ changed });
  })
);

function forget(world: World, gone: Kept[], deleted: { deleted: number; undo: string; undoUntil: string }): void {
  expect(deleted.deleted).toBe(gone.length);
  world.model.kept = world.model.kept.filter((one) => !gone.includes(one));
  world.model.trash.set(deleted.undo, gone);
  world.undos.push({ undo: deleted.undo, until: Date.parse(deleted.undoUntil), ids: gone.map(({ id }) => id) });
}

const remove = fc.tuple(picks, fc.boolean()).map(([at, wholeThreads]) =>
  step(`delete ${at.join()}${wholeThreads ? ' with their threads' : ''}`, async (world) => {
    const named = someOf(world.model, at);
    if (named.length > 0) {
      const gone = wholeThreads
        ? world.model.kept.filter((one) => named.some((other) => sameThread(one, other)))
        : named;
      forget(world, gone, await inbox.remove({ ids: named.map(({ id }) => id), wholeThreads }, null));
    }
  })
);

const removeMatching = fc.tuple(filter, somebody).map(([generated, who]) =>
  step(`${who ?? 'nobody'} deletes all that match ${JSON.stringify(generated)}`, async (world) => {
    const asked = placed(generated, world.before);
    const reader = known(world.model, who);
    const rows = world.model.match(asked, clock.now, reader).map(({ one }) => one);
    const gone = byThread(asked) ? world.model.kept.filter((one) => rows.some((row) => sameThread(row, one))) : rows;
    forget(world, gone, await inbox.remove({ filter: asked, reader: (await met(reader))?.id }, null));
  })
);

const restore = pick.map((at) =>
  step(`undo deletion ${at}`, async ({ model, undos }) => {
    const chosen = undos.length > 0 ? undos[at % undos.length] : undefined;
    if (chosen) {
      const back = clock.now < chosen.until ? (model.trash.get(chosen.undo) ?? []) : [];
      expect(await inbox.restore(chosen.undo, null)).toBe(back.length);
      model.kept = [...model.kept, ...back].sort((a, b) => a.id - b.id);
      if (back.length > 0) {
        model.trash.delete(chosen.undo);
      }
    }
  })
);

const resolve = pick.map((at) =>
  step(`close the thread of ${at} by hand`, async ({ model }) => {
    const [chosen] = someOf(model, [at]);
    if (!chosen) {
      return;
    }
    const result = await inbox.resolveByHand(chosen.id, null);
    if (model.threadOf(chosen, clock.now).state === 'open') {
      const { id, title, category: of, priority: rank } = result as Notification;
      expect([title, of, rank]).toEqual([chosen.title, chosen.category, chosen.priority]);
      const closing: Sent = {
        ...chosen,
        body: 'Closed by hand.',
        status: 'resolved',
        isBanner: false,
        errors: undefined,
      };
      model.receive(closing, { id, ts: clock.now, byHand: true });
    } else {
      expect(result).toBe('not-open');
    }
  })
);

/** Repeats while the thread is acknowledged are read by everybody; worse or new alerts end that. */
const acknowledge = fc.tuple(pick, fc.array(payload, { maxLength: 4 }), somebody).map(([at, sent, who]) =>
  step(`${who ?? 'nobody'} acknowledges ${at} while ${JSON.stringify(sent)} arrive`, async ({ model }) => {
    const [chosen] = someOf(model, [at]);
    if (!chosen) {
      return;
    }
    const reader = known(model, who);
    const before = model.threadOf(chosen, clock.now);
    const rank = before.head ? PRIORITIES.indexOf(before.head.priority) : 0;
    await responding.acknowledge({ ids: [chosen.id] }, { acknowledged: true, by: null, reader: await met(reader) });
    const head = before.head ?? chosen;
    markAs(
      model,
      model.membersOf(head).filter((one) => one.id === head.id || one.errors === undefined),
      true,
      reader
    );
    let acknowledged = true;
    for (const one of sent) {
      const clean = { ...(JSON.parse(JSON.stringify(one)) as Sent), ...keyOf(chosen) };
      const thread = model.threadOf(chosen, clock.now);
      const [received] = await inbox.receive([{ payload: clean, source: 'api' }]);
      const isShownNow = clean.errors === undefined && !model.off.has(clean.category);
      const isResolve = clean.status === 'resolved';
      const isRepeat =
        clean.status === 'triggered' && thread.state === 'open' && PRIORITIES.indexOf(clean.priority ?? 'low') <= rank;
      model.receive(clean, { id: received!.id, ts: clock.now, handled: acknowledged && isRepeat });
      acknowledged &&= !isShownNow || isResolve || isRepeat;
    }
    const { changed } = await responding.acknowledge({ ids: [chosen.id] }, { acknowledged: false, by: null });
    expect(changed).toBe(acknowledged ? 1 : 0);
  })
);
const keyOf = ({ dnpName: name, correlationId: id }: Kept) => ({ dnpName: name, correlationId: id });

/** Members are unread for nobody meanwhile, and for all afterwards. */
const snooze = fc.tuple(pick, fc.constantFrom(...READERS)).map(([at, who]) =>
  step(`${who} snoozes ${at} for a moment`, async ({ model }) => {
    const [chosen] = someOf(model, [at]);
    const reader = known(model, who);
    if (chosen && reader !== undefined) {
      const own = await readerOf(reader);
      const snoozing = { by: null, reader: own };
      expect(await responding.snooze({ ids: [chosen.id] }, { until: clock.now + HOUR, ...snoozing })).toMatchObject({
        changed: 1,
      });
      const latest = { latest: true, correlationId: [chosen.correlationId], dnpName: [chosen.dnpName] };
      expect((await store.list(latest, 10, undefined, own.id)).notifications).toEqual([]);
      expect((await store.facets(latest, own.id)).total).toBe(0);
      expect(await responding.snooze({ ids: [chosen.id] }, { until: null, ...snoozing })).toMatchObject({ changed: 1 });
    }
  })
);

const switching = fc.tuple(category, fc.boolean()).map(([of, enabled]) =>
  step(`switch ${of} ${enabled ? 'on' : 'off'}`, async ({ model }) => {
    await switchCategory(of, enabled);
    model.switched.add(of);
    model.off[enabled ? 'delete' : 'add'](of);
  })
);

const wait = fc.oneof(fc.nat(60_000), fc.nat(5 * HOUR), fc.nat(3 * DAY), fc.constant(7 * DAY)).map((ms) =>
  step(`wait ${ms} ms`, async ({ model, undos }) => {
    clock.advance(ms);
    await inbox.purge();
    // Purged, even if the clock is set back afterwards.
    undos.filter(({ until }) => until <= clock.now).forEach(({ undo }) => model.trash.delete(undo));
  })
);
const backwards = fc.nat(HOUR).map((ms) =>
  step(`set the clock back by ${ms} ms`, () => {
    clock.advance(-Math.min(ms, clock.now - START));
    return Promise.resolve();
  })
);

/** Each followed by queries. */
export const steps = fc.array(
  fc.tuple(
    fc.oneof(
      { weight: 8, arbitrary: receive },
      { weight: 1, arbitrary: visit },
      { weight: 3, arbitrary: mark },
      { weight: 1, arbitrary: markMatching },
      { weight: 3, arbitrary: remove },
      { weight: 1, arbitrary: removeMatching },
      { weight: 3, arbitrary: restore },
      { weight: 2, arbitrary: resolve },
      { weight: 2, arbitrary: acknowledge },
      { weight: 1, arbitrary: snooze },
      { weight: 1, arbitrary: switching },
      { weight: 3, arbitrary: wait },
      { weight: 1, arbitrary: backwards }
    ),
    fc.array(filter, { minLength: 2, maxLength: 5, size: 'max' })
  ),
  { minLength: 10, maxLength: 30, size: 'max' }
);
