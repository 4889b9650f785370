/** `nodebell send`. */
import { type Command, Option } from 'commander';
import { notificationSchema, PRIORITIES, PRIORITY_WORDS, STATUSES } from '../../contract/notification.ts';
import { locateSyntaxError } from '../http/jsonMistake.ts';
import { sendRequest, RefusedError } from './client.ts';
import { type ConnectionFlags, senderConnection } from './connection.ts';
import { CliError, type CliIo, EXIT, type ExitCode, printable, usageError } from './io.ts';

interface SendFlags extends PayloadFlags, ConnectionFlags {
  idempotencyKey?: string;
  json?: boolean;
}

const MEANINGS = PRIORITIES.map((priority) => `${priority} = ${PRIORITY_WORDS[priority]}`).join(', ');

const HELP = `
Without --title and --body the notifications are read from standard input: one JSON object, a list of them, or one a
line. Flags that are given as well replace those members in each of them. "--body -" reads the text from standard input.

The token, where the bridge needs one: --token-file, else NODEBELL_TOKEN or NODEBELL_TOKEN_FILE.

Exit codes:
  0  every notification is stored
  1  the bridge refused one; sending the same again is refused again
  2  the command was wrong, nothing was sent
  3  the bridge was not reached or cannot take it now (429, 503); trying again can help

Examples:
  $ nodebell send --title "Backup failed" --body "No space left on **nas**." --priority high --category backup \\
      --correlation-id backup-nas --status triggered
  $ nodebell send --title "Backup works again" --body "" --correlation-id backup-nas --status resolved
  $ df -h / | nodebell send --title "Disk report" --body - --category hardware
  $ nodebell send < notifications.ndjson
`;

export function addSend(
  program: Command,
  io: CliIo,
  connectionOptions: (command: Command) => Command,
  end: (code: ExitCode) => void
): void {
  const command = program
    .command('send')
    .description('Send a notification, or several.')
    .option('--title <text>', 'title of the notification')
    .option('--body <text>', 'the text, in Markdown; "-" reads it from standard input')
    .option('--category <word>', 'groups notifications by type; any word (default: other)')
    .option('--dnp-name <package>', "the package that sends it (default: the token's, else unknown)")
    .addOption(new Option('--priority <level>', `how soon to act: ${MEANINGS} (default: low)`).choices([...PRIORITIES]))
    .addOption(
      new Option('--status <status>', 'it holds now, or it is over; left out: an event').choices([...STATUSES])
    )
    .option('--correlation-id <id>', 'joins notifications of one package to a thread')
    .option('--banner', 'ask for a banner while it holds')
    .option('--cta-title <words>', 'the words on the button')
    .option('--cta-url <url>', 'where the button leads: http:, https: or a path')
    .option('--errors <text>', 'an error about the notification itself: listed under "Delivery errors"')
    .option('--icon <url>', 'its icon')
    .option('--idempotency-key <key>', 'the same key is stored once, however often it is sent')
    .option('--json', 'print what was stored as JSON, one a line; a refusal as a problem document');
  connectionOptions(command)
    .addHelpText('after', HELP)
    .action(async (flags: SendFlags) => end(await send(flags, io)));
}

async function send(flags: SendFlags, io: CliIo): Promise<ExitCode> {
  const connection = senderConnection(flags, io);
  const payloads = await readPayloads(flags, io);
  if (payloads.length > 1 && flags.idempotencyKey !== undefined) {
    throw usageError('--idempotency-key is for one notification; there are several on standard input.');
  }
  const headers: Record<string, string> =
    flags.idempotencyKey === undefined ? {} : { 'idempotency-key': checkedKey(flags.idempotencyKey) };
  let worst: ExitCode = EXIT.ok;
  for (const [index, body] of payloads.entries()) {
    const number = payloads.length > 1 ? `number ${index + 1} of ${payloads.length}: ` : '';
    try {
      const answer = await sendRequest(connection, { method: 'POST', path: 'api/v1/notifications', body, headers }, io);
      io.out(flags.json ? `${JSON.stringify(answer)}\n` : `${storedText(answer)}\n`);
    } catch (error) {
      worst = reportRefusal(error, number, flags, io);
      if (worst === EXIT.unreachable) {
        const left = payloads.length - index - 1;
        io.err(left > 0 ? `nodebell: the ${left} after it were not sent.\n` : '');
        return worst;
      }
    }
  }
  return worst;
}

/** One that is refused does not keep the others from being sent. */
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
  const { url: _url, tokenFile: _file, timeout: _timeout, idempotencyKey: _key, json: _json, ...payloadFlags } = flags;
  if (flags.body === '-') {
    payloadFlags.body = (await readStdin(io, '--body - reads the text from standard input')).trimEnd();
  }
  const given = fromFlags(payloadFlags);
  if (flags.title !== undefined && flags.body !== undefined) {
    return [given];
  }
  if (flags.title !== undefined || flags.body === '-' || io.stdin === undefined) {
    throw usageError(
      `${flags.title === undefined ? '--title' : '--body'} is missing. A notification has a title and a body.`
    );
  }
  return fromText(await readStdin(io, 'JSON is read from standard input')).map((payload) => ({ ...payload, ...given }));
}

function readStdin(io: CliIo, why: string): Promise<string> {
  if (io.stdin === undefined) {
    throw usageError(`${why}, and that is a terminal here.`);
  }
  return io.stdin();
}

function checkedKey(key: string): string {
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw usageError('--idempotency-key must be 1 to 200 visible ASCII characters, without spaces.');
  }
  return key;
}

const storedForm = notificationSchema.pick({ id: true, title: true, category: true, dnpName: true, priority: true });

function storedText(answer: unknown): string {
  const stored = storedForm.safeParse(answer);
  if (!stored.success) {
    return 'sent';
  }
  const { id, title, category, dnpName, priority } = stored.data;
  return `sent ${id}: ${printable(title)} (${[category, dnpName, priority].map(printable).join(', ')})`;
}

export interface PayloadFlags {
  title?: string;
  body?: string;
  category?: string;
  dnpName?: string;
  priority?: string;
  status?: string;
  correlationId?: string;
  banner?: boolean;
  ctaTitle?: string;
  ctaUrl?: string;
  errors?: string;
  icon?: string;
}

type Payload = Record<string, unknown>;

/** Only what was given: defaults are the bridge's. */
export function fromFlags(flags: PayloadFlags): Payload {
  const { banner, ctaTitle, ctaUrl, ...others } = flags;
  if ((ctaTitle === undefined) !== (ctaUrl === undefined)) {
    throw usageError('--cta-title and --cta-url belong together: the words on the button, and where it leads.');
  }
  const payload: Payload = { ...others };
  if (banner !== undefined) {
    payload.isBanner = banner;
  }
  if (ctaTitle !== undefined) {
    payload.callToAction = { title: ctaTitle, url: ctaUrl };
  }
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
}

/**
 * Reads standard input: one JSON object, a list of them, or one a line (NDJSON).
 * @throws CliError saying where it is none; then nothing has been sent
 */
export function fromText(text: string): Payload[] {
  const trimmed = text.trim();
  if (trimmed === '') {
    throw usageError('Standard input is empty. Give --title and --body, or JSON on standard input.');
  }
  const whole = parse(trimmed);
  const values =
    'value' in whole ? (Array.isArray(whole.value) ? whole.value : [whole.value]) : fromLines(text, whole.mistake);
  return values.map((value, index) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw usageError(
        `Standard input must hold JSON objects, one for each notification; ${values.length > 1 ? `number ${index + 1}` : 'this'} is none.`
      );
    }
    return value as Payload;
  });
}

/** Every line by itself; when not even the first is JSON, the text was meant as a whole. */
function fromLines(text: string, mistake: string): unknown[] {
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }));
  const [first, ...rest] = lines
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => ({ number, ...parse(line) }));
  if (!first || !('value' in first)) {
    throw usageError(`Standard input: ${mistake}`);
  }
  return [first, ...rest].map((read) => {
    if ('value' in read) {
      return read.value;
    }
    throw usageError(`Standard input, line ${read.number}: ${read.mistake}`);
  });
}

function parse(text: string): { value: unknown } | { mistake: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return {
      mistake: locateSyntaxError(text, error).message.replace('The body is', 'it is').replace('end of the body', 'end'),
    };
  }
}
