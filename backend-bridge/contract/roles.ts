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

/**
 * The action that each operation requires through Grafana's proxy, by its id in {@link OPERATIONS}. Null: not proxied; for
 * senders, monitors and the command line.
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
  getReport: 'inbox:read',
  listPeople: 'inbox:read',
  // For oneself; for all, the bridge requires the role Editor.
  setSnooze: 'inbox:seen',
  snoozeNotifications: 'inbox:seen',
  snoozeNotification: 'inbox:write',
  unsnoozeNotification: 'inbox:write',
  acknowledgeNotification: 'inbox:write',
  unacknowledgeNotification: 'inbox:write',
  acknowledgeNotifications: 'inbox:write',
  addComment: 'inbox:write',
  editComment: 'inbox:write',
  deleteComment: 'inbox:write',
  assignNotification: 'inbox:write',
  unassignNotification: 'inbox:write',
  listSilences: 'inbox:read',
  previewSilence: 'inbox:write',
  saveSilence: 'inbox:write',
  endSilence: 'inbox:write',
  recordSilence: 'inbox:write',
  assignNotifications: 'inbox:write',
  patchNotification: 'inbox:seen',
  markThreadSeen: 'inbox:seen',
  markSeen: 'inbox:seen',
  sendNotification: 'inbox:write',
  resolveNotification: 'inbox:write',
  resolveNotifications: 'inbox:write',
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
  listChannels: 'bridge:admin',
  addChannel: 'bridge:admin',
  changeChannel: 'bridge:admin',
  removeChannel: 'bridge:admin',
  testChannel: 'bridge:admin',
  tryChannel: 'bridge:admin',
  findChats: 'bridge:admin',
  listUndelivered: 'bridge:admin',
  sendUndelivered: 'bridge:admin',
  sendAllUndelivered: 'bridge:admin',
  discardUndelivered: 'bridge:admin',
  discardAllUndelivered: 'bridge:admin',
  setRoutes: 'bridge:admin',
  testRoutes: 'bridge:admin',
  // What is one's own is read by whoever may read the inbox.
  getPushKey: 'inbox:read',
  listDevices: 'inbox:read',
  getQuietHours: 'inbox:read',
  setQuietHours: 'push:own',
  replacePushKey: 'bridge:admin',
  addDevice: 'push:own',
  renameDevice: 'push:own',
  removeDevice: 'push:own',
  testDevice: 'push:own',
  getRetention: 'bridge:admin',
  setRetention: 'bridge:admin',
  previewRetention: 'bridge:admin',
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
  sendBatch: null,
  sendHeartbeat: null,
  ownManifest: null,
  prometheusTargets: null,
  importArchive: null,
  listTokens: 'bridge:admin',
  createToken: 'bridge:admin',
  rotateToken: 'bridge:admin',
  revokeToken: 'bridge:admin',
  getAdminToken: 'bridge:admin',
  listAudit: 'bridge:admin',
  // Grafana itself has to be given the new token.
  rotateAdminToken: null,
};

/** Whether a role contains another. */
export const includesRole = (has: Role, needed: Role): boolean => ROLES.indexOf(has) >= ROLES.indexOf(needed);
