/**
 * Who may do what, said once: plugin.json's routes and roles, the check in the bridge, what the pages offer and the table in
 * docs/secure.md are made from this or held to it by tests.
 */

/** Organisation roles of Grafana; each contains those before it. */
export const ROLES = ['Viewer', 'Editor', 'Admin'] as const;
export type Role = (typeof ROLES)[number];

export interface ActionRule {
  /** The least role that Grafana grants it to; whoever administers Grafana may grant it to others. */
  role: Role;
  /** Something is another afterwards: never for those who have not signed in. */
  changes: boolean;
  /** What it allows, as in "May …". */
  may: string;
}

/** Actions of role-based access control, without the plugin's id before them. */
export const ACTIONS = {
  'inbox:read': { role: 'Viewer', changes: false, may: 'read notifications' },
  'inbox:seen': { role: 'Viewer', changes: true, may: 'mark notifications as seen or unseen' },
  'inbox:write': {
    role: 'Editor',
    changes: true,
    may: 'send, close, delete and restore notifications, and switch categories',
  },
  'chains:read': { role: 'Viewer', changes: false, may: 'see how far nodes have synced' },
  'packages:read': { role: 'Viewer', changes: false, may: 'see packages, their links and dashboards' },
  'packages:write': {
    role: 'Editor',
    changes: true,
    may: 'register, update and remove packages, and read the texts of their files',
  },
  'thresholds:read': { role: 'Viewer', changes: false, may: 'see thresholds and switches' },
  'thresholds:write': {
    role: 'Editor',
    changes: true,
    may: 'set thresholds and switches, export them, and see who set them',
  },
  'bridge:admin': {
    role: 'Admin',
    changes: true,
    may: 'see the state of the bridge, fetch manifests, import settings, make and restore backups',
  },
} as const satisfies Record<string, ActionRule>;

export type Action = keyof typeof ACTIONS;

/** How Grafana names an action: those of a plugin begin with its id. */
export const grafanaAction = (pluginId: string, action: Action): string => `${pluginId}.${action}`;

/**
 * What each operation needs when it comes through Grafana, by its id in {@link OPERATIONS}. Null: it is for senders, monitors
 * and the admin's command line, and does not come through Grafana.
 */
export const OPERATION_ACTIONS: Readonly<Record<string, Action | null>> = {
  listNotifications: 'inbox:read',
  countUnseen: 'inbox:read',
  listFacets: 'inbox:read',
  findOrigin: 'inbox:read',
  getNotification: 'inbox:read',
  getNotificationIcon: 'inbox:read',
  getNotificationText: 'inbox:read',
  listenEvents: 'inbox:read',
  listCategories: 'inbox:read',
  patchNotification: 'inbox:seen',
  markThreadSeen: 'inbox:seen',
  markSeen: 'inbox:seen',
  sendNotification: 'inbox:write',
  resolveNotification: 'inbox:write',
  deleteNotification: 'inbox:write',
  deleteNotifications: 'inbox:write',
  restoreNotifications: 'inbox:write',
  switchCategory: 'inbox:write',
  listChains: 'chains:read',
  chainHistory: 'chains:read',
  listPackages: 'packages:read',
  getPackage: 'packages:read',
  getPackageIcon: 'packages:read',
  listDashboards: 'packages:read',
  packageEndpoints: 'packages:read',
  endpointHistory: 'packages:read',
  previewPackage: 'packages:write',
  registerPackage: 'packages:write',
  updatePackage: 'packages:write',
  removePackage: 'packages:write',
  // A compose file may hold passwords.
  getPackageFiles: 'packages:write',
  listEndpoints: 'thresholds:read',
  setEndpoint: 'thresholds:write',
  setPackage: 'thresholds:write',
  exportSettings: 'thresholds:write',
  settingHistory: 'thresholds:write',
  importSettings: 'bridge:admin',
  fetchManifest: 'bridge:admin',
  downloadBackup: 'bridge:admin',
  restoreBackup: 'bridge:admin',
  getProvisioning: 'bridge:admin',
  status: 'bridge:admin',
  openapi: 'inbox:read',
  schema: 'inbox:read',
  health: 'inbox:read',
  ready: 'inbox:read',
  metrics: null,
  grafanaWebhook: null,
  grafanaWebhookPut: null,
  alertmanagerWebhook: null,
  gatusWebhook: null,
  ownManifest: null,
  prometheusTargets: null,
  listTokens: null,
  createToken: null,
  revokeToken: null,
};

/** Whether a role contains another. */
export const includesRole = (has: Role, needed: Role): boolean => ROLES.indexOf(has) >= ROLES.indexOf(needed);
