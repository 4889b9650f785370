/**
 * Channel `apprise`: an Apprise API server, which sends to the services of one of its configurations. No message can be changed.
 * Source: README of caronc/apprise-api, "API Details", `/notify/{KEY}`; its responses: `NotifyView`.
 */
import { z } from 'zod';
import type { Priority } from '../../../../contract/notification.ts';
import type { OutboundAnswer } from '../../../platform/http/outbound.ts';
import type { Channel, ChannelSettings, Message, Network, Outcome } from './channel.ts';
import { jsonOf, jsonSender, outcomeOf, outcomeOfStatus, withoutSlash } from './http.ts';
import { cut, linesOf, linksOf, maskedDetail, titleOf, withLinks } from './text.ts';

const TYPE: Record<Priority, string> = { low: 'info', medium: 'info', high: 'warning', critical: 'failure' };
/** Apprise cuts or splits what is too long for a service. */
const MAX_TITLE = 250;
const MAX_BODY = 4000;
/** At least one service has failed; others may have received it. */
const FAILED = 424;
/** The configuration does not exist, or is empty. */
const NO_CONFIGURATION = 204;

const responseSchema = z.looseObject({
  error: z.string().nullish(),
  /** Log lines: level, time, text. */
  details: z
    .array(z.tuple([z.string(), z.string(), z.string()]))
    .nullish()
    .catch(undefined),
});

/** `POST /notify/{key}`. What has reached one of several services is not retried, so that it does not arrive there again. */
export function createApprise({ name, url = '', key = '', tag }: ChannelSettings, network: Network): Channel {
  const sendJson = jsonSender(url, name, network);
  return {
    send(message, { signal }) {
      const headers = { accept: 'application/json', 'x-apprise-log-level': 'info' };
      const body = { ...bodyOf(message), ...(tag !== undefined && { tag }) };
      const request = sendJson(`${withoutSlash(url)}/notify/${key}`, body, { headers, signal });
      return outcomeOf(request, network, (answer) => readAnswer(answer, key, network.now()));
    },
  };
}

function readAnswer(answer: OutboundAnswer, key: string, now: number): Outcome {
  if (answer.status === NO_CONFIGURATION) {
    return { kind: 'refused', reason: 'The Apprise server has no configuration with this key, or an empty one.' };
  }
  const { error, details } = responseSchema.safeParse(jsonOf(answer)).data ?? {};
  const failure = details?.find(([level]) => level === 'WARNING' || level === 'ERROR')?.[2];
  const detail = maskedDetail([error, failure].filter((one) => one).join(': '), key);
  const outcome = outcomeOfStatus(answer, now, detail);
  const hasArrived = details?.some(([level, , text]) => level === 'INFO' && text.startsWith('Sent '));
  // Without a failure in the log, no service has the tags.
  const mayPass = !details || (failure !== undefined && !hasArrived);
  return answer.status === FAILED && outcome.kind === 'refused' && mayPass ? { ...outcome, kind: 'retry' } : outcome;
}

const bodyOf = (message: Message): object => ({
  title: cut(titleOf(message), MAX_TITLE),
  body: withLinks(linesOf(message).join('\n\n'), linksOf(message), MAX_BODY),
  type: message.status === 'resolved' ? 'success' : TYPE[message.priority],
  format: 'text',
});
