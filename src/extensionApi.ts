/**
 * Ids and types for other apps, without imports, to be copied. An incompatible change raises the version of the id; members may be
 * added.
 */

/** An exposed component: a list of threads, open ones first, and a link to the inbox. */
export const INBOX = 'nodebell-notifications-app/inbox/v1';

/** An exposed component: the number of unread threads, as a link to them. */
export const UNREAD_COUNT = 'nodebell-notifications-app/unread-count/v1';

/** An extension point for links and components: the menu of the displayed thread. */
export const THREAD_ACTIONS = 'nodebell-notifications-app/thread-actions/v1';

type Priority = 'low' | 'medium' | 'high' | 'critical';

/** Props of {@link UNREAD_COUNT}. Without a list, or if it is empty, all match. */
export interface UnreadCountProps {
  /** Names of packages. */
  packages?: string[];
  categories?: string[];
  priorities?: Priority[];
}

/** Props of {@link INBOX}. */
export interface InboxProps extends UnreadCountProps {
  /** Default: all. */
  show?: 'all' | 'unread' | 'open';
  /** Maximum number of rows, at most 200. Default: 50. */
  limit?: number;
}

/** The context of links at {@link THREAD_ACTIONS}. */
export interface ThreadContext {
  /** Identifies the thread, with `package` and `node`. */
  threadId: string;
  /** The displayed notification of the thread. */
  notificationId: number;
  title: string;
  /** `event`: it has no state. */
  state: 'open' | 'resolved' | 'event';
  priority: Priority;
  /** The interface by which the notification was received; `bridge` and `admin`: created by Nodebell. */
  source: 'api' | 'grafana' | 'alertmanager' | 'gatus' | 'webhook' | 'admin' | 'bridge';
  package: string;
  /** Only with linked bridges. */
  node?: string;
  category: string;
  /** The path of the thread in Grafana, without the sub-path that Grafana is served from. */
  path: string;
  /** Only of alerts of Grafana and Alertmanager. */
  alert?: {
    labels: Record<string, string>;
    /** Absent if the alert has a label `correlationId`. */
    fingerprint?: string;
    /** UID of the rule in Grafana. */
    ruleUid?: string;
  };
}

/** Props of components at {@link THREAD_ACTIONS}, which render items of a menu. */
export interface ThreadActionProps {
  context: ThreadContext;
}
