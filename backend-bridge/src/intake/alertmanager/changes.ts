/** New, resolved and extended alerts of a request of Alertmanager's API. */
import type { Incoming, Once } from '../../inbox/notifications/receive.ts';
import { slicesOf } from '../../platform/storage/write.ts';
import type { OpenAlert } from './openAlert.ts';

/** All of one sender. */
export interface Changes {
  owner: string;
  firing: (Change & { ends: Once[] })[];
  resolved: Change[];
  /** Ends of known alerts that other replicas must learn. */
  extended: OpenAlert[];
}

export interface Change {
  alert: OpenAlert;
  incoming: Incoming;
  /** Another sender reports it as firing: nothing is announced. */
  isShared: boolean;
}

export const noChanges = (owner: string): Changes => ({ owner, firing: [], resolved: [], extended: [] });

/** Parts that fit into the write queue. Resolved ones first: a thread that several alerts share stays open while one of them fires. */
export const inSlices = ({ owner, firing, resolved, extended }: Changes): Changes[] => [
  ...slicesOf(resolved, sizeOf).map((some) => ({ ...noChanges(owner), resolved: some })),
  ...slicesOf(firing, sizeOf).map((some) => ({ ...noChanges(owner), firing: some })),
  ...slicesOf(extended, ({ bytes }) => bytes).map((some) => ({ ...noChanges(owner), extended: some })),
];

const sizeOf = ({ alert }: Change): number => alert.bytes;
