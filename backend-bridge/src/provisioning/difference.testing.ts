/** Files, and the state of a bridge with which they are compared. */
import { temporaryFolder } from '../folder.testing.ts';
import type { Operation } from '../../contract/operation.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hashToken, provisionedId } from '../platform/access/token.ts';
import type { ChannelStatus, PlacedRoute } from '../../contract/channel.ts';
import type { PackageSummary } from '../../contract/package.ts';
import type { ProvisionedHeartbeat } from '../../contract/heartbeat.ts';
import type { ChannelPerson } from '../../contract/onCall.ts';
import type { MergedSchedule } from '../delivery/schedules/overrideStore.ts';
import type { InhibitRule, MaintenanceBody } from '../../contract/suppression.ts';
import type { Category } from '../../contract/query.ts';
import type { Token } from '../../contract/token.ts';
import { type Difference, differencesOf, readState } from './difference.ts';
import type { Get } from './kinds/kind.ts';
import { loadFolder } from './loadFolder.ts';

export const A = 'a.example.eth';
const TOKEN = 'the-token-of-the-backup-job';
export const ID = provisionedId(hashToken(TOKEN));
/** As the API of a bridge returns it. */
export interface InUse {
  packages: Pick<PackageSummary, 'dnpName' | 'version' | 'fingerprint' | 'origin'>[];
  categories: Pick<Category, 'category' | 'enabled' | 'file'>[];
  senders: Pick<Token, 'id' | 'name' | 'packages' | 'node' | 'revokedAt' | 'file'>[];
  channels: Pick<ChannelStatus, 'name' | 'type' | 'target' | 'giveUpAfter' | 'perMinute' | 'file'>[];
  routes: PlacedRoute[];
  heartbeats: (ProvisionedHeartbeat & { file: string })[];
  schedules: (MergedSchedule & { file: string })[];
  people: (ChannelPerson & { file: string })[];
  windows: (MaintenanceBody & { file?: string })[];
  rules: (InhibitRule & { file: string })[];
}

function responses({
  packages = [],
  categories = [],
  senders = [],
  channels = [],
  routes = [],
  heartbeats = [],
  schedules = [],
  people = [],
  windows = [],
  rules = [],
}: Partial<InUse>): Get {
  const byPath: Record<string, unknown> = {
    packages,
    endpoints: { packages: [] },
    categories,
    tokens: senders,
    retention: { policy: {} },
    channels: { channels, routes },
    schedules: { schedules: schedules.map((one) => ({ ...one, overrides: one.overrides ?? [] })), people },
    maintenance: { windows, rules },
    provisioning: { files: heartbeats.map(({ file, ...one }) => ({ file, heartbeats: [one] })) },
  };
  return <T>(operation: Operation) => Promise.resolve(byPath[operation.path.replace('/api/v1/', '')] as T);
}

export function manifest(name: string, version = '1.0.0', more: object = {}): string {
  return JSON.stringify({ name, version, type: 'service', description: 'It.', license: 'MIT', ...more });
}

function folder(files: Record<string, string>): string {
  const dir = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  }
  return dir;
}

export const load = (files: Record<string, string>, typeOf?: (name: string) => string | undefined) =>
  loadFolder(folder(files), { TOKEN }, typeOf);

/** `file +kind name: detail`, with what is to be read before. */
const inWords = (differences: readonly Difference[]): string[] =>
  differences.map(({ file, action, kind, name, detail, warnings = [] }) => {
    const sign = { add: '+', change: '~', remove: '-' }[action];
    return [`${file} ${sign}${kind} ${name}: ${detail}`, ...warnings.map(({ message }) => message)].join(' | ');
  });

export const between = async (files: Record<string, string>, inUse: Partial<InUse>): Promise<string[]> =>
  inWords(differencesOf(await load(files), await readState(responses(inUse))));
