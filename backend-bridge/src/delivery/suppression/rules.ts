/** Evaluates maintenance windows and inhibition rules. Pure. */
import { createHash } from 'node:crypto';
import { compileRegex } from '../../../contract/matcherRegex.ts';
import { compileMatchers, labelOf, type Labels, type Matcher, parseMatchers } from '../../../contract/matchers.ts';
import {
  type Dependency,
  type InhibitRule,
  type Maintenance,
  type MaintenanceBody,
  maintenanceBodyOf,
} from '../../../contract/suppression.ts';
import type { Inhibition } from '../../inbox/notifications/receive.ts';
import { quietAt, spanClock } from '../schedules/quietSpans.ts';

export type Covers = (labels: Labels) => boolean;

/** @throws MatcherError, Error with the reason if a matcher is invalid, or they match a notification without labels */
export function compileCovers(...texts: readonly string[]): Covers {
  const covers = compileMatchers(
    texts.flatMap((text) => parseMatchers(text, compileRegex)),
    compileRegex
  );
  if (covers({})) {
    throw new Error('at least one matcher must not match the empty text');
  }
  return covers;
}

export type Span = Pick<Maintenance, 'state'> & { from: number | null; until: number | null };

/** State of a window and its next span, UTC milliseconds. @param now UTC milliseconds */
export function spanOf({ startsAt, endsAt, weekly }: MaintenanceBody, now: number): Span {
  const start = startsAt === undefined ? -Infinity : Date.parse(startsAt);
  const end = endsAt === undefined ? Infinity : Date.parse(endsAt);
  const at = Math.max(now, start);
  const hours = weekly && quietAt(weekly, at);
  const from = !hours || hours.isQuiet ? at : hours.until;
  if (from >= end) {
    return { state: 'expired', from: null, until: null };
  }
  const until = Math.min(end, weekly ? quietAt(weekly, from).until : end);
  return from <= now ? { state: 'active', from: null, until } : { state: 'pending', from, until };
}

/** {@link spanOf} of a window that does not change, computed once for each span. */
export const windowClock = (window: MaintenanceBody): ((now: number) => Span) =>
  spanClock(
    (now) => spanOf(window, now),
    ({ state, from, until }) => (state === 'pending' ? from : until) ?? Infinity
  );

/** Rules of a dependency: open critical threads of what it depends on inhibit it. */
export const rulesOf = ({ on, ...dependent }: Dependency): InhibitRule[] =>
  on.map((one) => ({
    name: `${nameOf(dependent)} depends on ${nameOf(one)}`,
    source_matchers: [matcherOf(one), 'priority="critical"'],
    target_matchers: [matcherOf(dependent)],
  }));

type Part = Pick<Dependency, 'package' | 'node'>;
const nameOf = ({ package: name, node }: Part): string => name ?? node ?? '';
const matcherOf = (part: Part): string =>
  `${part.package === undefined ? 'node' : 'package'}=${JSON.stringify(nameOf(part))}`;

/** Members that matchers compare as labels, by which no thread is found. */
const UNINDEXED: ReadonlySet<string> = new Set(['category', 'priority']);

/** An inhibition rule whose matchers are compiled. */
export class CompiledRule {
  readonly id: string;
  readonly #equal: readonly string[];
  /** Labels that all targets have. */
  readonly #targets: readonly Matcher[];
  readonly #isSource: Covers;
  readonly #isTarget: Covers;

  /** @throws as {@link compileCovers} */
  constructor(rule: InhibitRule) {
    const { source_matchers, target_matchers, equal = [] } = rule;
    this.id = ruleId(rule);
    this.#equal = equal;
    this.#isSource = compileCovers(...source_matchers);
    this.#isTarget = compileCovers(...target_matchers);
    this.#targets = target_matchers
      .flatMap((text) => parseMatchers(text, compileRegex))
      .filter(({ isEqual, isRegex }) => isEqual && !isRegex);
  }

  /**
   * A label that every target of a source has: of those that must be equal the last, since they are listed from the widest to the
   * narrowest. Undefined: none is known.
   * @param key of the source
   */
  targetLabel(key: string): Pick<Matcher, 'name' | 'value'> | undefined {
    const values = JSON.parse(key) as string[];
    const equal = this.#equal.map((name, at) => ({ name, value: values[at] ?? '' })).reverse();
    return [...equal, ...this.#targets].find(({ name, value }) => value !== '' && !UNINDEXED.has(name));
  }

  /** The sides of the rule that these labels match. */
  sides(labels: Labels): { source?: Inhibition; target?: Inhibition } {
    const [source, target] = [this.#isSource(labels), this.#isTarget(labels)];
    if (!source && !target) {
      return {};
    }
    const key = JSON.stringify(this.#equal.map((name) => labelOf(labels, name)));
    const side = { rule: this.id, key, matchesBoth: source && target };
    return { ...(source && { source: side }), ...(target && { target: side }) };
  }
}

/** Identifies a rule by its content: an unchanged rule keeps its id, also in another file. */
export const ruleId = ({ source_matchers, target_matchers, equal = [] }: InhibitRule): string =>
  shortHash(JSON.stringify([source_matchers, target_matchers, equal]));

/** Reference of a suppressed thread to its window. It contains a hash of the content: a changed window is compared with its threads again. */
export const windowRef = ({ id, ...window }: MaintenanceBody & { id: string }): string =>
  `${id} ${shortHash(JSON.stringify(maintenanceBodyOf(window)))}`;

export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
