/** What real packages say otherwise than the specification: read in the dialect dappnode, refused in the dialect spec. */
import { nearest } from '../nearest.ts';
import { pointerOf, type Path } from './document.ts';
import { type Report } from './report.ts';
import { type RuleId } from './rules.ts';
import { CATEGORIES, CHAINS, PORT, UPDATE_WARNINGS } from './schema.ts';
import { found, listed } from './words.ts';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Drivers that real packages name besides those of the specification. */
export const OTHER_CHAINS = ['ethereum-beacon-chain', 'ethereum2-beacon-chain-prysm'] as const;
const OTHER_CATEGORIES = ['Lido', 'DVT', 'LSD', 'AI', 'MCP'];
const listedChain = (chain: string): boolean => (CHAINS as readonly string[]).includes(chain);

/**
 * Reports them.
 * @returns pointers of what is explained by that: what the schema says of the same value need not be said
 */
export function reportForeign(manifest: Json, report: Report): Set<string> {
  const explained = new Set<string>();
  const say = (rule: RuleId, path: Path, title: string, detail: string, what?: 'value' | 'key'): void => {
    report.say(rule, path, title, detail, what);
    if (report.dialect === 'spec') {
      explained.add(pointerOf(path));
    }
  };
  reportChain(manifest, say);
  reportCategories(manifest, say);
  reportWarnings(manifest, say);
  reportTypes(manifest, say);
  if (Array.isArray(manifest.globalEnvs)) {
    const detail =
      'The specification has an object: { "all": true }. A list of envs and services is read as DAppNode does.';
    say('global-envs-list', ['globalEnvs'], 'globalEnvs is a list', detail);
  }
  if (typeof manifest.links === 'string') {
    const detail = `It is read as the homepage. Write { "homepage": ${JSON.stringify(manifest.links.slice(0, 80))} }.`;
    say('links-text', ['links'], 'links is text', detail);
  }
  reportUpstream(manifest, report);
  return explained;
}

type Say = (rule: RuleId, path: Path, title: string, detail: string, what?: 'value' | 'key') => void;

function reportChain({ chain }: Json, say: Say): void {
  if (isObject(chain)) {
    const driver = typeof chain.driver === 'string' ? chain.driver : undefined;
    const detail =
      driver !== undefined && listedChain(driver) && Object.keys(chain).length === 1
        ? `Write "chain": "${driver}".`
        : 'The specification has one word: ethereum, bitcoin or monero. An object is read as DAppNode does.';
    say('chain-object', ['chain'], 'chain is an object', detail);
  }
  const [driver, path] = isObject(chain) ? [chain.driver, ['chain', 'driver']] : [chain, ['chain']];
  if (typeof driver === 'string' && driver !== '' && !listedChain(driver)) {
    const other = (OTHER_CHAINS as readonly string[]).includes(driver);
    if (other && isObject(chain)) {
      return; // the object has been reported
    }
    const meant = other ? undefined : nearest(driver, [...CHAINS, ...OTHER_CHAINS]);
    const effect = other
      ? 'DAppNode knows it, the specification does not.'
      : 'Its state of synchronisation cannot be shown.';
    const advice = meant === undefined ? `${effect} Listed are ${listed(CHAINS)}.` : `Did you mean ${meant}?`;
    say('chain-unlisted', path, 'chain is not a listed value', `Found ${found(driver)}. ${advice}`);
  }
}

function reportCategories({ categories }: Json, say: Say): void {
  for (const [place, category] of list(categories).entries()) {
    if (typeof category === 'string' && !(CATEGORIES as readonly string[]).includes(category)) {
      const other = OTHER_CATEGORIES.includes(category);
      const meant = other ? undefined : nearest(category, CATEGORIES);
      const advice = other
        ? 'DAppNode knows it, the specification does not.'
        : meant === undefined
          ? `Listed are ${listed(CATEGORIES)}.`
          : `Did you mean ${meant}?`;
      say(
        'category-unlisted',
        ['categories', place],
        'A category is not listed',
        `Found ${found(category)}. ${advice}`
      );
    }
  }
}

function reportWarnings({ warnings }: Json, say: Say): void {
  for (const member of UPDATE_WARNINGS) {
    if (isObject(warnings) && Object.hasOwn(warnings, member)) {
      const detail = 'The specification has onUpdate, for every update. It is shown before the updates that it names.';
      say('update-warning', ['warnings', member], `warnings ${member} is DAppNode’s own`, detail, 'key');
    }
  }
}

function reportTypes(manifest: Json, say: Say): void {
  for (const member of ['dockerTimeout', 'upstreamVersion']) {
    if (typeof manifest[member] === 'number') {
      const detail = `Found ${manifest[member]}. Write it as text: "${manifest[member]}".`;
      say('other-type', [member], `${member} is a number`, detail);
    }
  }
  const all = isObject(manifest.globalEnvs) ? manifest.globalEnvs.all : undefined;
  if (all === 'true' || all === 'false') {
    say('other-type', ['globalEnvs', 'all'], 'globalEnvs all is text', `Found “${all}”. Write ${all}, without quotes.`);
  }
  for (const [place, entry] of list(manifest.exposable).entries()) {
    if (isObject(entry) && typeof entry.port === 'string' && PORT.test(entry.port)) {
      const detail = `Found “${entry.port}”. Write ${entry.port}, without quotes.`;
      say('other-type', ['exposable', place, 'port'], 'exposable port is text', detail);
    }
  }
}

function reportUpstream(manifest: Json, report: Report): void {
  const beside = ['upstreamVersion', 'upstreamRepo', 'upstreamArg'].filter((member) => Object.hasOwn(manifest, member));
  if (Object.hasOwn(manifest, 'upstream') && beside.length > 0) {
    const detail = `It stands beside ${listed(beside)}. Keep one way to say what is wrapped.`;
    report.say('upstream-twice', ['upstream'], 'upstream is said twice', detail, 'key');
  }
}
