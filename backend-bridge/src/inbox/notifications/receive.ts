/** Input of senders and monitors, and its outcome. */
import type { IgnoredMember, Notification, NotificationPayload, Source } from '../../../contract/notification.ts';
import type { Suppressed } from '../../../contract/respond.ts';

/**
 * The name under which something is stored once. For webhooks the key is made of (package, fingerprint, startsAt, status); for
 * other senders it is the `Idempotency-Key`. The scope names who sent it.
 */
export interface Once {
  scope: string;
  key: string;
  /** Hash of the body, so that another body with the same key can be rejected. */
  hash?: string;
  /**
   * Milliseconds. The key names a thread, and what is received is a repeat only if it has the hash of the last one of the key, and comes
   * within this time of it.
   */
  within?: number;
}

/** Why a notification is not sent at once. */
export interface Hold {
  /** For the next digest of this schedule. */
  digest?: string;
  /** It is dropped if it has resolved by then. */
  dropResolved?: true;
}

/** One step of an escalation to one destination. */
export interface Step {
  /** A channel, or whom it notifies (placeName in contract/onCall.ts). */
  to: string;
  afterMs: number;
  /** Place among the steps, from 0. Those to several destinations are equal. */
  step: number;
}

export interface Reminder {
  remindMs: number;
  /** As in {@link Step}, unless whoever has acknowledged it has channels. */
  to: string[];
}

/** Steps until somebody acknowledges it. */
export interface Escalation {
  /** Identifies the route. */
  route: string;
  /** Identities of all routes: an escalation of any other one belongs to an edited route. */
  known: readonly string[];
  steps: Step[];
  /** Channels that the steps may reach. */
  reach: string[];
  /** The steps begin again after this time. */
  everyMs?: number;
  /** An acknowledged alert that is still open is sent again after this time. */
  reminder?: Reminder;
  /** As in {@link Hold}. */
  dropResolved?: true;
  /** As in {@link Incoming}. */
  notThrough?: string;
}

/** Where a notification goes. */
export interface Destinations {
  channels: string[];
  /** Channels of a resolve if its thread was announced there. */
  ifAnnounced: string[];
  /** Holds by channel; none: sent at once. */
  holds?: Record<string, Hold>;
  /** None of a resolve. */
  escalations?: Escalation[];
}

/** A match with one side of an inhibition rule. */
export interface Inhibition {
  /** Id of the rule. */
  rule: string;
  /** Values of the labels that must be equal, as JSON. */
  key: string;
  /** It matches the other side as well: two such notifications do not inhibit each other. */
  matchesBoth: boolean;
}

export interface Suppression {
  /** By a silence or a maintenance window. */
  suppressed?: Suppressed | undefined;
  /** Rules whose source it is. */
  inhibits: readonly Inhibition[];
  /** Rules whose target it is: suppressed while a source is open. */
  inhibitedBy: readonly Inhibition[];
}

export interface Incoming {
  payload: NotificationPayload;
  /** Members that were not understood; kept, never shown. */
  extra?: Record<string, unknown> | undefined;
  /** Members that are not stored as sent; kept for the details. */
  ignored?: readonly IgnoredMember[] | undefined;
  source: Source;
  /** Stored labels (LabelSetRow.id), in place of `payload.labels`. */
  labelSet?: number | undefined;
  /** Name of the rule of an alert. With package and category, it is the source of which many threads are a burst. */
  rule?: string | undefined;
  /** Deduplication key: a repeat is not stored again. */
  once?: Once | undefined;
  /** Where it goes besides the inbox; set by the inbox, unless it is for certain people. Undefined: nowhere. */
  destinations?: Destinations | undefined;
  /** Why it goes to no channel, and what it inhibits; set by the inbox. */
  suppression?: Suppression | undefined;
  /** A channel that it must not go to, since it is about that channel. */
  notThrough?: string | undefined;
  /** Owner of the limit of new names: a token or an address. Undefined: the bridge itself, without a limit. */
  sender?: string | undefined;
  /** Bridges through which it has come, the one that sent it last (contract/via.ts). */
  via?: readonly string[] | undefined;
  /** It came from Grafana, which has signed it. */
  signed?: boolean | undefined;
}

/**
 * Outcome of a notification: stored (it is on disk now), duplicate (it was before), conflict (the same key came with another body), gone
 * (it was before, and has been deleted since). `notification` is absent when it is gone. `note`: a name that could not be stored as it was
 * sent.
 */
export type Received =
  | { outcome: 'stored'; id: number; notification: Notification; note?: string | undefined }
  | { outcome: 'duplicate'; id: number; notification: Notification }
  | { outcome: 'conflict'; id: number; notification: Notification | undefined }
  | { outcome: 'gone'; id: number; notification: undefined };

/**
 * Stores all of them, or none; returns after they are on disk, in the order given.
 * @throws StoreUnavailable when the queue is full or the store cannot write
 */
export type Receive = (incoming: Incoming[]) => Promise<Received[]>;
