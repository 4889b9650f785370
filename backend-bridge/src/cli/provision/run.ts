/** `nodebell provision`: validates provisioning files, and compares them with a running bridge. */
import { z } from 'zod';
import { API } from '../../../contract/api.ts';
import { endpointPackageSchema } from '../../../contract/endpoint.ts';
import type { Operation } from '../../../contract/operation.ts';
import { packageSummarySchema } from '../../../contract/package.ts';
import { categorySchema } from '../../../contract/query.ts';
import { channelSchema, placedRouteSchema } from '../../../contract/channel.ts';
import { provisionedHeartbeatSchema } from '../../../contract/heartbeat.ts';
import { retentionPolicySchema } from '../../../contract/retention.ts';
import { tokenListSchema } from '../../../contract/token.ts';
import { type Difference, differencesOf, type InUse } from '../../provisioning/difference.ts';
import { adminCall } from '../client.ts';
import { type CliIo, EXIT, type ExitCode, printable } from '../io.ts';
import { countOf, type Format, formatOutcome, type Outcome } from '../validate/output.ts';
import type { ConnectionFlags } from '../connection.ts';
import { readFolder } from './folder.ts';

export interface ProvisionFlags extends ConnectionFlags {
  check?: boolean;
  dryRun?: boolean;
  dir?: string;
  format: Format;
}

export async function provision(flags: ProvisionFlags, io: CliIo): Promise<ExitCode> {
  return flags.dryRun ? compare(flags, io) : check(flags, io);
}

async function check(flags: ProvisionFlags, io: CliIo): Promise<ExitCode> {
  const { outcome } = await readFolder(flags.dir, io);
  io.out(formatOutcome(flags.format, outcome, io));
  return codeOf(outcome);
}

async function compare(flags: ProvisionFlags, io: CliIo): Promise<ExitCode> {
  const inUse = await fetchInUse(flags, io);
  const types = new Map(inUse.packages.map(({ dnpName, type }) => [dnpName, type]));
  const { folder, outcome } = await readFolder(flags.dir, io, (name) => types.get(name));
  const code = codeOf(outcome);
  const differences = code === EXIT.ok ? differencesOf(folder, inUse) : undefined;
  if (flags.format === 'json') {
    const document = {
      ...(JSON.parse(formatOutcome('json', outcome, io)) as object),
      differences: differences ?? null,
    };
    io.out(`${JSON.stringify(document, null, 2)}\n`);
  } else {
    const isPrinted = code !== EXIT.ok || outcome.files.some(({ findings }) => findings.length > 0);
    io.out(isPrinted ? formatOutcome(flags.format, outcome, io) : '');
    io.out(differences === undefined ? '' : differencesText(differences));
  }
  return hasAny(differences) ? EXIT.different : code;
}

function codeOf(outcome: Outcome): ExitCode {
  return outcome.unreadable.length > 0 ? EXIT.usage : countOf(outcome, 'error') > 0 ? EXIT.refused : EXIT.ok;
}

const hasAny = (differences: readonly Difference[] | undefined): boolean => (differences ?? []).length > 0;

type RegisteredInUse = Omit<InUse, 'packages'> & { packages: (InUse['packages'][number] & { type: string })[] };

async function fetchInUse(flags: ProvisionFlags, io: CliIo): Promise<RegisteredInUse> {
  const get = <T>(operation: Operation, schema: z.ZodType<T>): Promise<T> =>
    adminCall(operation, {}, flags, io, schema);
  const packages = await get(API.listPackages, z.array(registeredSchema));
  const { packages: endpoints } = await get(API.listEndpoints, z.object({ packages: z.array(endpointPackageSchema) }));
  const categories = await get(API.listCategories, z.array(categorySchema));
  const senders = await get(API.listTokens, tokenListSchema);
  const retention = await get(API.getRetention, retentionSchema);
  const { channels, routes } = await get(API.listChannels, channelsSchema);
  // Those of the page belong to no file.
  const ofFiles = channels.flatMap(({ file, ...one }) => (file === undefined ? [] : { ...one, file }));
  const { files } = await get(API.getProvisioning, heartbeatsSchema);
  const heartbeats = files.flatMap(({ file, heartbeats: some }) => some.map((one) => ({ ...one, file })));
  return { packages, endpoints, categories, senders, retention, channels: ofFiles, routes, heartbeats };
}

/** Only the required members, for compatibility with other versions. */
const registeredSchema = packageSummarySchema.pick({
  dnpName: true,
  version: true,
  type: true,
  fingerprint: true,
  origin: true,
});

const retentionSchema = z.object({ policy: retentionPolicySchema, file: z.string().optional() });

const heartbeatsSchema = z.object({
  files: z.array(z.object({ file: z.string(), heartbeats: z.array(provisionedHeartbeatSchema).default([]) })),
});

const channelsSchema = z.object({
  channels: z.array(
    channelSchema.pick({
      name: true,
      type: true,
      file: true,
      target: true,
      giveUpAfter: true,
      perMinute: true,
      quietHours: true,
      passing: true,
    })
  ),
  routes: z.array(placedRouteSchema),
});

const SIGNS = { add: '+', change: '~', remove: '-' } as const;

export function differencesText(differences: readonly Difference[]): string {
  if (differences.length === 0) {
    return 'No differences.\n';
  }
  const files = [...new Set(differences.map(({ file }) => file))];
  const widths = {
    kind: Math.max(8, ...differences.map(({ kind }) => kind.length)),
    name: Math.max(...differences.map(({ name }) => printable(name).length)),
  };
  const blocks = files.map((file) => {
    const lines = differences.filter((one) => one.file === file).map((one) => lineOf(one, widths));
    return `${printable(file)}\n${lines.join('')}`;
  });
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  return `${blocks.join('\n')}\n${count}. Nothing was changed.\n`;
}

interface Widths {
  kind: number;
  name: number;
}

function lineOf({ action, kind, name, detail, warnings = [] }: Difference, widths: Widths): string {
  const head = `  ${SIGNS[action]} ${kind.padEnd(widths.kind)}  ${printable(name).padEnd(widths.name)}  ${printable(detail)}`;
  const messages = warnings.map((warning) => `      ${warning.kind}: ${printable(warning.message)}\n`);
  return `${head.trimEnd()}\n${messages.join('')}`;
}
