/**
 * The permissions of all roles. The routes and roles in plugin.json are generated from them; the bridge and the pages check them;
 * tests compare them with plugin.json and the table in docs/secure.md.
 */

/** Organisation roles of Grafana; each contains those before it. */
export const ROLES = ['Viewer', 'Editor', 'Admin'] as const;
export type Role = (typeof ROLES)[number];

/** Minimum role of an action by default. */
export interface ActionRule {
  /** The least role that has it by default; admins of Grafana can grant it to others. */
  role: Role;
  /** Whether it allows changes, which require a login. */
  changes: boolean;
  /** Permission as a phrase, as in "May …". */
  may: string;
}

/** Actions of role-based access control, without the plugin's id before them. */
export const ACTIONS = {
  'inbox:read': { role: 'Viewer', changes: false, may: 'read notifications' },
  'inbox:seen': {
    role: 'Viewer',
    changes: true,
    may: 'mark notifications as seen or unseen, and snooze them for oneself',
  },
  'inbox:write': {
    role: 'Editor',
    changes: true,
    may: 'send, close, acknowledge, comment, assign, silence, delete and restore notifications, snooze them for all, and switch categories',
  },
  'push:own': { role: 'Viewer', changes: true, may: 'receive notifications on their own devices' },
  'chains:read': { role: 'Viewer', changes: false, may: 'see the sync state of nodes' },
  'packages:read': { role: 'Viewer', changes: false, may: 'see packages, their links and dashboards' },
  'packages:write': {
    role: 'Editor',
    changes: true,
    may: 'register, update and remove packages, and read their files',
  },
  'thresholds:read': { role: 'Viewer', changes: false, may: 'see thresholds and switches' },
  'thresholds:write': {
    role: 'Editor',
    changes: true,
    may: 'set thresholds and switches, export settings, and see who changed them',
  },
  'bridge:admin': {
    role: 'Admin',
    changes: true,
    may: 'see the status of the bridge and the audit log, manage sender tokens, fetch manifests, import settings, set retention, configure channels and routes, replace the keys of web push, make and restore backups',
  },
} as const satisfies Record<string, ActionRule>;

/** An action without the id of the plugin, such as `inbox:read`. */
export type Action = keyof typeof ACTIONS;

/** The name of an action in Grafana, which begins with the id of the plugin. */
export const grafanaAction = (pluginId: string, action: Action): string => `${pluginId}.${action}`;

/** Whether a role contains another. */
export const includesRole = (has: Role, needed: Role): boolean => ROLES.indexOf(has) >= ROLES.indexOf(needed);
