/** Generated notifications and filters for the model of the inbox. */
import fc from 'fast-check';
import { PRIORITIES, type Status } from '../../backend-bridge/contract/notification.ts';
import type { NotificationFilter } from '../../backend-bridge/contract/query.ts';
import { DAY, START } from './support.ts';

export const category = fc.constantFrom('system', 'ethereum', 'other');
const dnpName = fc.constantFrom('geth.dnp', 'dms.dnp');
const correlationId = fc.constantFrom('disk', 'sync', 'peers');
const priority = fc.constantFrom(...PRIORITIES);

/** Mostly omitted, so that filters are combined now and then and rarely match nothing. */
const seldom = <T>(of: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: of });

const text = fc.constantFrom('disk almost full', 'disk is fine', 'node fell behind', 'block missed');
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });

export const payload = fc.record({
  title: text,
  body: text,
  category,
  dnpName,
  correlationId,
  priority: maybe(priority),
  status: maybe(fc.constantFrom<Status[]>('triggered', 'resolved')),
  isBanner: maybe(fc.boolean()),
  errors: seldom(fc.constant('no such host')),
});

/** At the start of a day, or anywhere. */
const moment = fc.oneof(
  fc.nat(9).map((days) => Math.floor(START / DAY) * DAY + days * DAY),
  fc.nat(9 * DAY).map((ms) => START + ms)
);

export const filter: fc.Arbitrary<NotificationFilter> = fc
  .record({
    category: seldom(fc.uniqueArray(category, { minLength: 1, maxLength: 2 })),
    dnpName: seldom(fc.uniqueArray(dnpName, { minLength: 1, maxLength: 2 })),
    priority: seldom(fc.uniqueArray(priority, { minLength: 1, maxLength: 3 })),
    status: seldom(fc.uniqueArray(fc.constantFrom<Status[]>('triggered', 'resolved'), { minLength: 1 })),
    correlationId: seldom(fc.uniqueArray(correlationId, { minLength: 1, maxLength: 2 })),
    from: seldom(moment),
    to: seldom(moment),
    seen: seldom(fc.boolean()),
    read: seldom(fc.boolean()),
    isBanner: seldom(fc.boolean()),
    muted: seldom(fc.constantFrom('true', 'false', 'all')),
    errors: seldom(fc.constantFrom('hidden', 'only', 'all')),
    latest: seldom(fc.boolean()),
    open: seldom(fc.boolean()),
    // Relative to the first id of the run: see `placed`.
    untilId: seldom(fc.nat(40)),
    q: seldom(fc.constantFrom('disk', 'almost fu', 'missed block', 'full almost', 'geth', 'nothing like it')),
  })
  .map((one): NotificationFilter => {
    const byThread = one.latest === true || one.open !== undefined;
    // Excludes what the routes reject, and searches that are documented to differ.
    return byThread ? { ...one, muted: undefined, errors: undefined, q: undefined } : one;
  })
  .map((one) => JSON.parse(JSON.stringify(one)) as NotificationFilter);

export const placed = ({ untilId, ...rest }: NotificationFilter, before: number): NotificationFilter =>
  untilId === undefined ? rest : { ...rest, untilId: before + untilId };
