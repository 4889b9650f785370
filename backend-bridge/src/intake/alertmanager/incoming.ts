/** The notification of an alert of Alertmanager's API. */
import type { Logger } from 'pino';
import { isoTime } from '../../../contract/text.ts';
import { fitIncoming } from '../../inbox/notifications/fit.ts';
import type { Incoming } from '../../inbox/notifications/receive.ts';
import { applySender } from '../../platform/access/applySender.ts';
import type { Sender } from '../../platform/http/guard.ts';
import { readAlert } from '../webhooks/fromAlert.ts';
import { oncePerSender } from '../webhooks/repeats.ts';
import type { OpenAlert } from './openAlert.ts';

/** Who sent a request. */
export interface Origin {
  sender: Sender | undefined;
  /** See `senderOf` in platform/http/senderKey.ts. */
  key: string;
}

/** Name of the receiver in responses of the API. */
export const RECEIVER = 'nodebell';
const CONTEXT = { source: 'alertmanager', receiver: RECEIVER, groupKey: undefined, externalURL: undefined } as const;

/** @throws HttpProblem 403 if the token of the sender is for other packages */
export function incomingOf(
  alert: Omit<OpenAlert, 'identity' | 'compared'>,
  status: 'firing' | 'resolved',
  { sender, key }: Origin,
  log: Pick<Logger, 'info'>
): Incoming {
  const notes = alert.note === undefined ? [] : [alert.note];
  const { labels, annotations, generatorURL, fingerprint } = alert;
  const times = {
    startsAt: isoTime(alert.startsAt),
    endsAt: status === 'resolved' ? isoTime(alert.endsAt) : undefined,
  };
  const { incoming } = readAlert({ status, labels, annotations, generatorURL, fingerprint, ...times }, CONTEXT, notes);
  const fitted = fitIncoming(incoming, (note) => notes.push(note));
  if (notes.length > 0) {
    log.info({ notes: notes.slice(0, 10) }, 'alert stored with changes');
  }
  const own = { ...fitted, payload: applySender(fitted.payload, sender), sender: key };
  return oncePerSender(own, alert.owner);
}
