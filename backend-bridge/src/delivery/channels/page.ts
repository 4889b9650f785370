/** Channels and routes that are configured on the page: validated, and stored with their secrets encrypted. */
import type { Actor } from '../../../contract/audit.ts';
import type { ChannelTest, ChannelType, Route } from '../../../contract/channel.ts';
import {
  type ChannelChange,
  type ChatList,
  type ChatSearch,
  type NewChannel,
  type PageChannel,
  pageChannelSchema,
  type WriteOnly,
  writeOnly,
} from '../../../contract/channelChange.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { show } from '../../../contract/text.ts';
import type { Vault } from '../../platform/access/vault.ts';
import { HttpProblem, invalid } from '../../platform/http/problem.ts';
import { readBody } from '../../platform/http/query.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { type ChannelSettings, type Network, PAGE, shownChannel, type StoredChannel } from './channel.ts';
import { findChats } from './kinds/telegramChats.ts';
import { settingsOf } from './settings.ts';
import { setPageChannel, setPageRoutes } from './pageWrites.ts';
import { misfitsOf } from './match.ts';
import type { Routing } from './routing.ts';

export interface PageDeps {
  routing: Routing;
  writes: Pick<WriteQueue, 'submit'>;
  /** Undefined: nothing can be stored. */
  vault: Vault | undefined;
  network: Network;
  /** UTC milliseconds. */
  now: () => number;
}

const purposeOf = (name: string): string => `channel ${name}`;

const NO_KEY =
  'Secrets of channels cannot be stored: set NODEBELL_SECRET_KEY, the same at all replicas, or add the channel in a provisioning file.';

/** Stored channels, and the effect of a change on them. */
function createStored({ routing, vault }: Pick<PageDeps, 'routing' | 'vault'>) {
  const find = (name: string): StoredChannel | undefined =>
    routing.channels().find((one) => one.file === PAGE && one.name === name);

  const opened = ({ name, sealed }: StoredChannel): ChannelSettings | undefined => {
    const text = sealed === undefined ? undefined : vault?.open(sealed, purposeOf(name));
    return text === undefined ? undefined : (JSON.parse(text) as ChannelSettings);
  };

  /** Merges a change into the stored channel. @throws HttpProblem 400 */
  const merged = (name: string, change: ChannelChange): PageChannel => {
    const stored = find(name);
    const { disabled: _disabled, ...given } = change;
    const kept = stored && stored.type === change.type ? opened(stored) : undefined;
    const whole: Record<string, unknown> = { name, ...given };
    const missing: WriteOnly[] = [];
    for (const member of writeOnly(change.type)) {
      if (whole[member] === null) {
        delete whole[member];
      } else if (whole[member] === undefined && kept?.[member] !== undefined) {
        whole[member] = kept[member];
        missing.push(member);
      }
    }
    if (kept && missing.length > 0 && destinationOf(kept) !== destinationOf(settingsOf(whole as PageChannel))) {
      throw againRequired(missing);
    }
    return readBody(whole, pageChannelSchema);
  };

  /** @throws HttpProblem 404; 409 for one of a file */
  const requireOwn = (name: string): StoredChannel => {
    const one = routing.channels().find((channel) => channel.name === name);
    if (one === undefined) {
      throw notFound(name);
    }
    if (one.file !== PAGE) {
      throw new HttpProblem('conflict', `The channel ${show(name)} is provisioned by ${one.file}: change it there.`);
    }
    return one;
  };

  return { opened, merged, requireOwn };
}

/** Adds, changes and removes channels and routes of the page; secrets are encrypted. Throws HttpProblem 400, 404 and 409. */
export function createPageChannels(deps: PageDeps) {
  const { routing, writes, network, now } = deps;
  const stored = createStored(deps);
  return {
    /** Settings of enabled channels; `locked`: those whose secrets cannot be decrypted. */
    settings(): { open: ChannelSettings[]; locked: string[] } {
      const all = routing.channels().filter(({ file, disabled }) => file === PAGE && !disabled);
      const tried = all.map((one) => ({ name: one.name, settings: stored.opened(one) }));
      return {
        open: tried.flatMap(({ settings }) => settings ?? []),
        locked: tried.flatMap(({ name, settings }) => (settings ? [] : name)),
      };
    },
    requireOwn: stored.requireOwn,
    async add({ name, ...change }: NewChannel, by: Actor): Promise<void> {
      const other = routing.channels().find((one) => one.name === name);
      if (other) {
        throw taken(name, other.file === PAGE ? 'already' : `already, of ${other.file}`);
      }
      if (name === 'undelivered') {
        throw new HttpProblem('conflict', 'The name "undelivered" is reserved: choose another.');
      }
      await storeChannel(deps, stored.merged(name, change), { disabled: change.disabled, isNew: true, by });
    },
    async change(name: string, change: ChannelChange, by: Actor): Promise<void> {
      stored.requireOwn(name);
      await storeChannel(deps, stored.merged(name, change), { disabled: change.disabled, isNew: false, by });
    },
    /** @param send sends a test message */
    tryOut({ name, ...change }: NewChannel, send: (settings: ChannelSettings) => Promise<ChannelTest>) {
      return send(settingsOf(stored.merged(name, change)));
    },
    async chats({ token, name, url }: ChatSearch): Promise<ChatList> {
      if (token !== undefined) {
        return findChats({ token, ...(url !== undefined && { url }) }, network);
      }
      const kept = name === undefined ? undefined : stored.opened(stored.requireOwn(name));
      if (kept?.token === undefined || kept.type !== 'telegram') {
        throw againRequired(['token']);
      }
      return findChats({ token: kept.token, ...(kept.url !== undefined && { url: kept.url }) }, network);
    },
    async setRoutes(routes: Route[], revision: string | undefined, by: Actor): Promise<void> {
      requireKnown(routes, routing);
      if (!(await writes.submit(setPageRoutes, { routes, revision, by, now: now() }))) {
        throw new HttpProblem('conflict', 'The routes have been changed meanwhile: read them again.');
      }
    },
  };
}

/** @throws HttpProblem 404 and 409 */
async function storeChannel(
  { writes, vault, now }: PageDeps,
  whole: PageChannel,
  { disabled, isNew, by }: { disabled: boolean | undefined; isNew: boolean; by: Actor }
): Promise<void> {
  const { name } = whole;
  const settings = settingsOf(whole);
  if (vault === undefined) {
    throw new HttpProblem('conflict', NO_KEY);
  }
  const channel: StoredChannel = {
    ...shownChannel(settings),
    ...(disabled && { disabled: true }),
    ...readable(settings, whole.type),
    sealed: vault.seal(JSON.stringify(settings), purposeOf(name)),
  };
  const result = await writes.submit(setPageChannel, { channel, isNew, by, now: now() });
  if (result === 'taken') {
    throw taken(name, 'already');
  }
  if (result === 'full') {
    throw new HttpProblem('conflict', `There are ${LIMITS.channels.value} channels: remove one first.`);
  }
  if (result === 'gone') {
    throw notFound(name);
  }
}

/** A route may keep a channel that its file no longer has. @throws HttpProblem 400 */
function requireKnown(routes: readonly Route[], routing: Routing): void {
  const kept = routing.pageRoutes().flatMap(({ channels }) => channels);
  const names = new Set([...routing.channels().map(({ name }) => name), ...kept]);
  const unknown = routes.flatMap((route, index) =>
    route.channels.flatMap((name, place) =>
      names.has(name)
        ? []
        : {
            pointer: `/routes/${index}/channels/${place}`,
            found: show(name),
            allowed: 'the name of a channel',
            detail: `There is no channel ${show(name)}.`,
          }
    )
  );
  const misfits = routes.flatMap((route, index) =>
    misfitsOf(route, routing.channels()).map(({ member, names, ...error }) => ({
      pointer: `/routes/${index}/${member}`,
      found: names.map(show).join(', '),
      ...error,
    }))
  );
  if (unknown.length + misfits.length > 0) {
    throw invalid([...unknown, ...misfits], 'the body');
  }
}

/** Where secrets are sent. */
const destinationOf = ({ type, url, host, port }: ChannelSettings): string =>
  [type, url === undefined ? '' : (URL.parse(url)?.origin ?? ''), host ?? '', port ?? ''].join(' ');

function readable(settings: ChannelSettings, type: ChannelType): Pick<StoredChannel, 'settings' | 'has'> {
  const hidden: readonly string[] = writeOnly(type);
  // Quiet hours are members of the channel itself.
  const { name: _name, type: _type, quietHours: _quietHours, passing: _passing, ...members } = settings;
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return {
    settings: Object.fromEntries(entries.filter(([member]) => !hidden.includes(member))),
    has: entries.flatMap(([member]) => (hidden.includes(member) ? member : [])),
  };
}

const againRequired = (members: readonly string[]): HttpProblem =>
  invalid(
    members.map((member) => ({
      pointer: `/${member}`,
      found: 'nothing',
      allowed: 'a value',
      detail: `Give "${member}" again: what is stored is sent to the address for which it was given only.`,
    })),
    'the body'
  );

const notFound = (name: string): HttpProblem =>
  new HttpProblem('not-found', `There is no channel ${show(name)}. GET /api/v1/channels lists them.`);
const taken = (name: string, how: string): HttpProblem =>
  new HttpProblem('conflict', `There is a channel ${show(name)} ${how}: choose another name.`);
