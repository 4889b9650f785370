/** Channels and routes that are configured on the page: validated, and stored with their secrets encrypted. */
import type { Actor } from '../../../contract/audit.ts';
import type { Route } from '../../../contract/channel.ts';
import { namesIn } from '../../../contract/routeNames.ts';
import {
  type ChannelChange,
  type ChatList,
  type ChatSearch,
  type NewChannel,
  type PageChannel,
  pageChannelSchema,
} from '../../../contract/channelChange.ts';
import { hiddenFields } from '../../../contract/channelTypes/index.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { show } from '../../../contract/text.ts';
import type { Vault } from '../../platform/access/vault.ts';
import { HttpProblem, invalid } from '../../platform/http/problem.ts';
import { readBody } from '../../platform/http/query.ts';
import {
  type ChannelSettings,
  type Network,
  PAGE,
  settingsOf,
  shownChannel,
  type StoredChannel,
} from './kinds/channel.ts';
import { accountOf } from './kinds/telegramBot.ts';
import { findChats } from './kinds/telegramChats.ts';
import { setPageChannel, setPageRoutes } from './pageWrites.ts';
import { misfitsOf } from './match.ts';
import type { PumpDeps } from './pump.ts';
import type { PlacedChannel, Routing } from './routing.ts';
import { requireTemplates } from './templates.ts';

export interface PageDeps extends Pick<PumpDeps, 'writes' | 'now'> {
  routing: Routing;
  /** Undefined: nothing can be stored. */
  vault: Vault | undefined;
  network: Network;
  /** Whether presses of this bot are read, which takes its updates. */
  isListening: (account: string) => boolean;
}

const READ_ELSEWHERE =
  'This bot has a channel with actions, which reads its updates: enter the number of the chat, or remove the actions meanwhile.';

const purposeOf = (name: string): string => `channel ${name}`;

const NO_KEY =
  'Secrets of channels cannot be stored: set NODEBELL_SECRET_KEY, the same at all replicas, or add the channel in a provisioning file.';

/** Adds, changes and removes channels and routes of the page; secrets are encrypted. Throws HttpProblem 400, 404 and 409. */
export class PageChannels {
  readonly #deps: PageDeps;

  constructor(deps: PageDeps) {
    this.#deps = deps;
  }

  /** Settings of enabled channels; `locked`: those whose secrets cannot be decrypted. */
  settings(): { open: ChannelSettings[]; locked: string[] } {
    const all = this.#deps.routing.channels().filter(({ file, disabled }) => file === PAGE && !disabled);
    const tried = all.map((one) => ({ name: one.name, settings: this.#opened(one) }));
    return {
      open: tried.flatMap(({ settings }) => settings ?? []),
      locked: tried.flatMap(({ name, settings }) => (settings ? [] : name)),
    };
  }

  /** @throws HttpProblem 404; 409 for one of a file */
  requireOwn(name: string): StoredChannel {
    const one = this.#find(name);
    if (one === undefined) {
      throw channelNotFound(name);
    }
    if (one.file !== PAGE) {
      throw new HttpProblem('conflict', `The channel ${show(name)} is provisioned by ${one.file}: change it there.`);
    }
    return one;
  }

  /** Settings of a channel that is not stored, with what is kept of the one with its name. @throws HttpProblem 400 */
  settingsOf({ name, ...change }: NewChannel): ChannelSettings {
    const settings = settingsOf(this.#merged(name, change));
    requireTemplates(settings);
    return settings;
  }

  async add({ name, ...change }: NewChannel, by: Actor): Promise<void> {
    const other = this.#find(name);
    if (other) {
      throw taken(name, other.file === PAGE ? 'already' : `already, of ${other.file}`);
    }
    if (name === 'undelivered') {
      throw new HttpProblem('conflict', 'The name "undelivered" is reserved: choose another.');
    }
    await this.#store(name, change, { isNew: true, by });
  }

  async change(name: string, change: ChannelChange, by: Actor): Promise<void> {
    this.requireOwn(name);
    await this.#store(name, change, { isNew: false, by });
  }

  async chats({ token, name, url }: ChatSearch): Promise<ChatList> {
    if (token !== undefined) {
      return this.#chatsOf({ token, url });
    }
    const kept = name === undefined ? undefined : this.#opened(this.requireOwn(name));
    if (kept?.token === undefined || kept.type !== 'telegram') {
      throw againRequired(['token']);
    }
    return this.#chatsOf({ token: kept.token, url: kept.url });
  }

  #chatsOf(bot: { token: string; url?: string | undefined }): Promise<ChatList> {
    const { network, isListening } = this.#deps;
    return isListening(accountOf(bot))
      ? Promise.resolve({ bot: null, chats: [], reason: READ_ELSEWHERE })
      : findChats(bot, network);
  }

  async setRoutes(routes: Route[], revision: string | undefined, by: Actor): Promise<void> {
    const { routing, writes, now } = this.#deps;
    requireKnown(routes, routing);
    if (!(await writes.submit(setPageRoutes, { routes, revision, by, now: now() }))) {
      throw new HttpProblem('conflict', 'The routes have been changed meanwhile: read them again.');
    }
  }

  #find(name: string): PlacedChannel | undefined {
    return this.#deps.routing.channels().find((one) => one.name === name);
  }

  #opened({ name, sealed }: StoredChannel): ChannelSettings | undefined {
    const text = sealed === undefined ? undefined : this.#deps.vault?.open(sealed, purposeOf(name));
    return text === undefined ? undefined : (JSON.parse(text) as ChannelSettings);
  }

  /** Merges a change into the stored channel. @throws HttpProblem 400 */
  #merged(name: string, { disabled: _disabled, ...given }: ChannelChange): PageChannel {
    const stored = this.#find(name);
    const opened = stored?.file === PAGE && stored.type === given.type ? this.#opened(stored) : undefined;
    const kept: Partial<Record<string, unknown>> = { ...opened };
    const whole: Record<string, unknown> = { name, ...given };
    const missing: string[] = [];
    for (const member of hiddenFields(given.type)) {
      if (whole[member] === null) {
        delete whole[member];
      } else if (whole[member] === undefined && kept[member] !== undefined) {
        whole[member] = kept[member];
        missing.push(member);
      }
    }
    if (opened && missing.length > 0 && destinationOf(opened) !== destinationOf(settingsOf(whole as PageChannel))) {
      throw againRequired(missing);
    }
    return readBody(whole, pageChannelSchema);
  }

  /** @throws HttpProblem 404 and 409 */
  async #store(name: string, change: ChannelChange, { isNew, by }: { isNew: boolean; by: Actor }): Promise<void> {
    const { writes, vault, now } = this.#deps;
    const settings = this.settingsOf({ name, ...change });
    if (vault === undefined) {
      throw new HttpProblem('conflict', NO_KEY);
    }
    const channel: StoredChannel = {
      ...shownChannel(settings),
      ...(change.disabled && { disabled: true }),
      ...readable(settings),
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
      throw channelNotFound(name);
    }
  }
}

/** A route may keep a name that its file no longer has. @throws HttpProblem 400 */
function requireKnown(routes: readonly Route[], routing: Routing): void {
  const kept = routing.pageRoutes().flatMap(namesIn);
  const known = [
    ...routing.channels().map(({ name }) => `channel ${name}`),
    ...routing.schedules().map(({ name }) => `schedule ${name}`),
    ...routing.people().map(({ login }) => `person ${login}`),
    ...kept.map(({ kind, name }) => `${kind} ${name}`),
  ];
  const names = new Set(known);
  const unknown = routes.flatMap((route, index) =>
    namesIn(route).flatMap(({ kind, name, path }) =>
      names.has(`${kind} ${name}`)
        ? []
        : {
            pointer: `/routes/${index}/${path.join('/')}`,
            found: show(name),
            allowed: kind === 'person' ? 'the login of a provisioned person' : `the name of a ${kind}`,
            detail: `There is no ${kind} ${show(name)}.`,
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

/** Quiet hours are members of the channel itself. */
function readable({ name: _name, type, quietHours: _quietHours, passing: _passing, ...members }: ChannelSettings) {
  const hidden = hiddenFields(type);
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return {
    settings: Object.fromEntries(entries.filter(([member]) => !hidden.includes(member))),
    has: hidden.filter((member) => entries.some(([key]) => key === member)),
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

export const channelNotFound = (name: string): HttpProblem =>
  new HttpProblem('not-found', `There is no channel ${show(name)}. GET /api/v1/channels lists them.`);
const taken = (name: string, how: string): HttpProblem =>
  new HttpProblem('conflict', `There is a channel ${show(name)} ${how}: choose another name.`);
