/** Channel `email`: SMTP. A thread is one conversation: later mails refer to the first one (RFC 5322, 3.6.4). */
import { createTransport } from 'nodemailer';
import { LIMITS } from '../../../../contract/limits.ts';
import { isAddress, rulesForHost } from '../../../platform/http/addresses.ts';
import { checkedAddresses, OutboundError, type ResolvedAddress } from '../../../platform/http/outbound.ts';
import { tlsFailure } from '../../../platform/http/tlsFailure.ts';
import type { Channel, ChannelSettings, Message, Network, Outcome } from './channel.ts';
import { channelRules, reasonOf } from './http.ts';
import { cut, linesOf, linkOf, oneLine, maskedDetail, titleOf } from './text.ts';

const PORTS = { starttls: 587, implicit: 465, none: 25 } as const;
const MAX_SUBJECT = 200;
const MAX_ADDRESSES = 4;
const TIMEOUT_MS = LIMITS.channelTime.value;
/** Codes of Node: there was no connection. */
const UNREACHABLE = /^(ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL|EAFNOSUPPORT)$/;

/** Mail by SMTP. Rejections with 5xx are final, everything else is retried. Threads: RFC 5322, 3.6.4. */
export function createEmail(settings: ChannelSettings, network: Network): Channel {
  const { name, host = '', password } = settings;
  /** By idempotency key. In memory: after a restart, all recipients get the mail again. */
  const deferred = new Map<string, Deferred>();
  return {
    async send(message, { signal, idempotencyKey }) {
      try {
        const addresses = await checkedAddresses(
          new URL(`smtp://${host.includes(':') ? `[${host}]` : host}:${portOf(settings)}`),
          `channel ${name}`,
          { allow: channelRules(rulesForHost(host), network), ...(network.lookup && { lookup: network.lookup }) },
          signal
        );
        const { ref, mail } = mailOf(message, settings);
        const before = deferred.get(idempotencyKey);
        const envelope = before && { envelope: { from: mail.from, to: before.recipients } };
        let errors: readonly SmtpError[] = [];
        await overFirstReachable(addresses.slice(0, MAX_ADDRESSES), async (address, some) => {
          const transport = transportTo(address, settings, TIMEOUT_MS / some);
          try {
            ({ rejectedErrors: errors = [] } = await transport.sendMail({ ...mail, ...envelope, signal }));
          } catch (error) {
            const { rejectedErrors } = error as SmtpError;
            if (before === undefined || rejectedErrors === undefined) {
              throw error;
            }
            errors = rejectedErrors;
          } finally {
            transport.close();
          }
        });
        const rejected = [...(before?.rejected ?? []), ...errors];
        const isDeferred = keepDeferred(deferred, idempotencyKey, rejected);
        const warning = rejected.length > 0 && { warning: warningOf(rejected, host, password) };
        return { kind: 'delivered', ref, ...warning, ...(isDeferred && { isDeferred }) };
      } catch (error) {
        return outcomeOfError(error as Error, { host, password }, network);
      }
    },
  };
}

/** A mail that some recipients have. */
interface Deferred {
  /** To be tried again. */
  recipients: string[];
  /** Rejected for good. */
  rejected: readonly SmtpError[];
}
const MAX_DEFERRED = 1000;

/** @returns whether another attempt may reach more recipients */
function keepDeferred(deferred: Map<string, Deferred>, key: string, errors: readonly SmtpError[]): boolean {
  const isFinal = ({ responseCode = 500 }: SmtpError): boolean => responseCode >= 500;
  const recipients = errors.filter((error) => !isFinal(error)).flatMap(({ recipient }) => recipient ?? []);
  deferred.delete(key);
  if (recipients.length > 0) {
    deferred.set(key, { recipients, rejected: errors.filter(isFinal) });
  }
  if (deferred.size > MAX_DEFERRED) {
    deferred.delete(deferred.keys().next().value!);
  }
  return recipients.length > 0;
}

const portOf = ({ tls = 'starttls', port = PORTS[tls] }: ChannelSettings): number => port;

/** A connection to the address that was checked; the certificate is that of the name. */
function transportTo(address: string, settings: ChannelSettings, connectionTimeout: number) {
  const { host = '', tls = 'starttls', username, password } = settings;
  return createTransport({
    host: address,
    port: portOf(settings),
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: isAddress(host) ? {} : { servername: host },
    ...(username !== undefined && password !== undefined && { auth: { user: username, pass: password } }),
    connectionTimeout,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** @returns the mail, and the id of the first one of its thread */
function mailOf(message: Message, { name, from = '', to = [] }: ChannelSettings) {
  const domain = /@([^\s<>@]+?)>?$/.exec(from)?.[1] ?? 'nodebell.invalid';
  const first = `<${message.key}.${name}@${domain}>`;
  const { ref } = message;
  const isReply = ref !== undefined && ref !== '';
  const link = linkOf(message);
  const links = [...(link ? [link] : []), ...(message.actions ?? []).map(({ label: title, url }) => ({ title, url }))];
  const lines = [...linesOf(message), ...links.map(({ title, url }) => `${oneLine(title)}: ${url}`)];
  return {
    ref: isReply ? ref : first,
    mail: {
      messageId: isReply ? `<${message.key}.${message.id}.${name}@${domain}>` : first,
      from,
      to: [...to],
      subject: cut(oneLine(titleOf(message)), MAX_SUBJECT),
      text: lines.join('\n\n'),
      date: new Date(message.timestamp),
      ...(isReply && { inReplyTo: ref, references: ref }),
      headers: {
        'List-Id': `Nodebell <${name.toLowerCase()}.nodebell.${domain}>`,
        // RFC 3834: no vacation notices in response.
        'Auto-Submitted': 'auto-generated',
        ...(message.priority === 'critical' && message.status === 'triggered' && { Importance: 'high' }),
      },
    },
  };
}

/** Over the next address if there is no connection to one, such as where IPv6 does not work. Nothing was sent then. */
async function overFirstReachable(
  addresses: readonly ResolvedAddress[],
  send: (address: string, among: number) => Promise<void>
): Promise<void> {
  for (const [index, { address }] of addresses.entries()) {
    try {
      await send(address, addresses.length);
      return;
    } catch (error) {
      if (index === addresses.length - 1 || !isUnreachable(error as SmtpError)) {
        throw error;
      }
    }
  }
}

const isUnreachable = ({ originalCode = '', timeoutType }: SmtpError): boolean =>
  UNREACHABLE.test(originalCode) || timeoutType === 'CONNECT_TIMEOUT';

interface SmtpError extends Error {
  code?: string;
  /** Error code of Node, where `code` is nodemailer's. */
  originalCode?: string;
  /** Phase of a timeout. */
  timeoutType?: string;
  /** Certificate of the server, if it is not valid for its name. */
  cert?: { subjectaltname?: string };
  responseCode?: number;
  response?: string;
  /** The address that the server rejects. */
  recipient?: string;
  /** One for each recipient, if all are rejected. */
  rejectedErrors?: SmtpError[];
}

const MAX_REJECTED = 3;

/** Recipients that the server rejects, while it accepts others. */
function warningOf(errors: readonly SmtpError[], host: string, password: string | undefined): string {
  const shown = errors.slice(0, MAX_REJECTED).map(({ recipient = '', response, message }) => {
    return `${recipient}: ${maskedDetail(response ?? message, password)}`;
  });
  const more = errors.length > MAX_REJECTED ? [`${errors.length - MAX_REJECTED} more`] : [];
  return `The mail server ${host} rejects ${[...shown, ...more].join('; ')}. The other recipients get the mail.`;
}

/** 5xx is final (RFC 5321, 4.2.1), except for credentials, which can be replaced, and for TLS. */
function outcomeOfError(
  error: SmtpError | OutboundError,
  { host, password }: { host: string; password: string | undefined },
  network: Network
): Outcome {
  if (error instanceof OutboundError) {
    return { kind: 'retry', reason: reasonOf(error, network) };
  }
  const { code, originalCode, responseCode, response, message, cert } = error;
  const tls = tlsFailure({ code: originalCode, message, ...(cert && { cert }) }, `the mail server ${host}`, 'as host');
  if (tls !== undefined) {
    return { kind: 'retry', reason: tls };
  }
  const detail = maskedDetail(response ?? message, password);
  if (code === 'EAUTH') {
    return { kind: 'retry', reason: `Authentication failed at ${host}: ${detail}.` };
  }
  if (code === 'ETLS') {
    return { kind: 'retry', reason: `No encrypted connection to ${host}: ${detail}.` };
  }
  const reason = `The mail server ${host} ${responseCode === undefined ? 'cannot be reached' : 'rejects the mail'}: ${detail}.`;
  return responseCode !== undefined && responseCode >= 500 ? { kind: 'refused', reason } : { kind: 'retry', reason };
}
