/** `nodebell send`. */
import { Option } from 'commander';
import type { z } from 'zod';
import { NOTIFICATIONS } from '../../contract/api/notifications.ts';
import {
  type payloadSchema,
  PRIORITIES,
  PRIORITY_WORDS,
  sentNotificationSchema,
  STATUSES,
} from '../../contract/notification.ts';
import { requestOf } from '../../contract/operation.ts';
import { type Cli, connecting } from './shared/command.ts';
import { sendRequest, RefusedError } from './shared/client.ts';
import { sendLines } from './sendLines.ts';
import { type ConnectionFlags, senderConnection } from './shared/connection.ts';
import { CliError, type CliIo, EXIT, type ExitCode, printable, usageError } from './shared/io.ts';
import { fromFlags, fromText, type PayloadFlags } from './shared/payloads.ts';

interface SendFlags extends PayloadFlags, ConnectionFlags {
  idempotencyKey?: string;
  lines?: string | true;
  json?: boolean;
  strict?: boolean;
}

const MEANINGS = PRIORITIES.map((priority) => `${priority} = ${PRIORITY_WORDS[priority]}`).join(', ');

const HELP = `
Without --title and --body, notifications are read from standard input: a JSON object, an array, or one object per line.
Flags override these members in each notification. "--body -" reads the text from standard input.

--lines sends JSON lines of any number as a stream, up to 1,000 in a request. It repeats a request while the bridge is
busy or unreachable, and prints each line that failed. Run again with the same --idempotency-key within 24 hours, it
stores nothing twice.

The token, if required, is read from --token-file, NODEBELL_TOKEN or NODEBELL_TOKEN_FILE.

Exit codes:
  0  all notifications are stored
  1  the bridge rejected a notification; a retry has the same result. Without --strict, only one without any text is
     rejected: wrong members are replaced by their defaults or left out, and listed on standard error
  2  invalid command, nothing was sent
  3  the bridge is unreachable or unavailable (429, 503); a retry may succeed

Examples:
  $ nodebell send --title "Backup failed" --body "No space left on **nas**." --priority high --category backup \\
      --correlation-id backup-nas --status triggered
  $ nodebell send --title "Backup works again" --body "" --correlation-id backup-nas --status resolved
  $ df -h / | nodebell send --title "Disk report" --body - --category hardware
  $ nodebell send < notifications.ndjson
  $ nodebell send --lines notifications.ndjson --idempotency-key import-1
`;

export function addSend({ program, io, end }: Cli): void {
  const command = program
    .command('send')
    .description('Send one or more notifications.')
    .option('--title <text>', 'title of the notification')
    .option('--body <text>', 'text in Markdown; "-" reads it from standard input')
    .option('--category <word>', 'category, any word (default: other)')
    .option('--dnp-name <package>', 'sending package (default: the package of the token, else unknown)')
    .addOption(new Option('--priority <level>', `priority: ${MEANINGS} (default: low)`).choices([...PRIORITIES]))
    .addOption(
      new Option('--status <status>', 'whether an alert fires or resolves; without it, an event').choices([...STATUSES])
    )
    .option('--correlation-id <id>', 'groups notifications of a package into a thread')
    .option('--node <name>', 'the node that it comes from, such as another host')
    .option(
      '--resolve-after <duration>',
      'resolve the alert when no notification has arrived for this long, such as 30m'
    )
    .option('--banner', 'show a banner while the alert is firing')
    .option('--cta-title <words>', 'label of the button')
    .option('--cta-url <url>', 'target of the button: an http(s) URL or a path')
    .option('--errors <text>', 'an error about the notification itself, listed under "Delivery errors"')
    .option('--icon <url>', 'URL of the icon')
    .option('--lines [file]', 'send each line of a file; default or "-": standard input')
    .option('--idempotency-key <key>', 'notifications with the same key are stored once')
    .option('--strict', 'reject a notification with any wrong member, instead of storing it without')
    .option('--json', 'print stored notifications as JSON, one per line, and errors as problem documents');
  connecting(command)
    .addHelpText('after', HELP)
    .action(async (flags: SendFlags) =>
      end(await (flags.lines === undefined ? send(flags, io) : sendFile(flags.lines, flags, io)))
    );
}

function sendFile(lines: string | true, flags: SendFlags, io: CliIo): Promise<ExitCode> {
  if (flags.body === '-') {
    throw usageError('--body - cannot be used with --lines.');
  }
  const { idempotencyKey, strict, json } = flags;
  const key = idempotencyKey === undefined ? undefined : checkedKey(idempotencyKey);
  const path = lines === true || lines === '-' ? undefined : lines;
  const given = fromFlags(payloadFlagsOf(flags));
  return sendLines({ connection: senderConnection(flags, io), path, given, key, strict, json }, io);
}

async function send(flags: SendFlags, io: CliIo): Promise<ExitCode> {
  const connection = senderConnection(flags, io);
  const payloads = await readPayloads(flags, io);
  if (payloads.length > 1 && flags.idempotencyKey !== undefined) {
    throw usageError('--idempotency-key requires a single notification, but standard input contains several.');
  }
  const headers: Record<string, string> =
    flags.idempotencyKey === undefined ? {} : { 'idempotency-key': checkedKey(flags.idempotencyKey) };
  let worst: ExitCode = EXIT.ok;
  for (const [index, body] of payloads.entries()) {
    const number = payloads.length > 1 ? `number ${index + 1} of ${payloads.length}: ` : '';
    try {
      // The bridge validates the body.
      const response = await sendRequest(
        connection,
        {
          ...requestOf(NOTIFICATIONS.sendNotification, {
            query: { ...(flags.strict && { strict: true }) },
            body: body as z.input<typeof payloadSchema>,
          }),
          headers,
        },
        io
      );
      io.out(flags.json ? `${JSON.stringify(response)}\n` : `${storedText(response)}\n`);
      io.err(flags.json ? '' : changesText(response, number));
    } catch (error) {
      worst = reportRefusal(error, number, flags, io);
      if (worst === EXIT.unreachable) {
        const left = payloads.length - index - 1;
        io.err(left > 0 ? `nodebell: the remaining ${left} were not sent.\n` : '');
        return worst;
      }
    }
  }
  return worst;
}

/** A rejected notification does not stop the others from being sent. */
function reportRefusal(error: unknown, number: string, { json }: SendFlags, io: CliIo): ExitCode {
  if (!(error instanceof CliError)) {
    throw error;
  }
  io.err(
    json && error instanceof RefusedError
      ? `${JSON.stringify(error.problem)}\n`
      : `nodebell: ${number}${error.message}\n`
  );
  return error.exitCode;
}

async function readPayloads(flags: SendFlags, io: CliIo): Promise<Record<string, unknown>[]> {
  const payloadFlags = payloadFlagsOf(flags);
  if (flags.body === '-') {
    payloadFlags.body = (await readStdin(io, '--body - reads the text from standard input')).trimEnd();
  }
  const given = fromFlags(payloadFlags);
  if (flags.title !== undefined && flags.body !== undefined) {
    return [given];
  }
  if (flags.title !== undefined || flags.body === '-' || io.stdin === undefined) {
    throw usageError(`${flags.title === undefined ? '--title' : '--body'} is required.`);
  }
  return fromText(await readStdin(io, 'JSON is read from standard input')).map((payload) => ({ ...payload, ...given }));
}

function payloadFlagsOf(flags: SendFlags): PayloadFlags {
  const {
    url: _url,
    tokenFile: _file,
    timeout: _timeout,
    idempotencyKey: _key,
    lines: _lines,
    json: _json,
    strict: _strict,
    ...payloadFlags
  } = flags;
  return payloadFlags;
}

function readStdin(io: CliIo, why: string): Promise<string> {
  if (io.stdin === undefined) {
    throw usageError(`${why}, but standard input is a terminal.`);
  }
  return io.stdin();
}

function checkedKey(key: string): string {
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw usageError('--idempotency-key must be 1 to 200 visible ASCII characters without spaces.');
  }
  return key;
}

const storedForm = sentNotificationSchema.pick({
  id: true,
  title: true,
  category: true,
  dnpName: true,
  priority: true,
});
const changesForm = sentNotificationSchema.pick({ ignored: true, notes: true });

/** Members that were not stored as sent, one line each. */
function changesText(response: unknown, number: string): string {
  const { ignored = [], notes = [] } = changesForm.safeParse(response).data ?? {};
  return [
    ...ignored.map(({ pointer, reason }) => `ignored ${pointer}: ${reason}`),
    ...notes.map((note) => `note: ${note}`),
  ]
    .map((line) => `nodebell: ${number}${printable(line)}\n`)
    .join('');
}

function storedText(response: unknown): string {
  const stored = storedForm.safeParse(response);
  if (!stored.success) {
    return 'sent';
  }
  const { id, title, category, dnpName, priority } = stored.data;
  return `sent ${id}: ${printable(title)} (${[category, dnpName, priority].map(printable).join(', ')})`;
}
