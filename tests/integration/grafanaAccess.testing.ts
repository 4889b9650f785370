/** Permissions through Grafana's proxy: one cell for every role and operation. */
import { OPERATIONS } from '../../backend-bridge/contract/api.ts';

/** Anonymous, Viewer, Editor, Admin; and a Viewer with one additional action. */
export const WHO = ['Anonymous', 'Viewer', 'Editor', 'Admin', 'Viewer with thresholds:write'] as const;

/** y: reaches the operation. n: rejected with 403. -: not proxied, 404. */
export type Cell = 'y' | 'n' | '-';

/** The cells of a row are in the order of {@link WHO}. */
export const EXPECTED: Record<string, string> = {
  listNotifications: 'y y y y y',
  countUnseen: 'y y y y y',
  listFacets: 'y y y y y',
  findOrigin: 'y y y y y',
  getNotification: 'y y y y y',
  getNotificationIcon: 'y y y y y',
  getNotificationText: 'y y y y y',
  listenEvents: 'y y y y y',
  listCategories: 'y y y y y',
  patchNotification: 'n y y y y',
  markThreadSeen: 'n y y y y',
  markSeen: 'n y y y y',
  sendNotification: 'n n y y n',
  resolveNotification: 'n n y y n',
  deleteNotification: 'n n y y n',
  deleteNotifications: 'n n y y n',
  restoreNotifications: 'n n y y n',
  switchCategory: 'n n y y n',
  listChains: 'y y y y y',
  chainHistory: 'y y y y y',
  listPackages: 'y y y y y',
  getPackage: 'y y y y y',
  getPackageIcon: 'y y y y y',
  listDashboards: 'y y y y y',
  packageEndpoints: 'y y y y y',
  endpointHistory: 'y y y y y',
  previewPackage: 'n n y y n',
  registerPackage: 'n n y y n',
  updatePackage: 'n n y y n',
  removePackage: 'n n y y n',
  getPackageFiles: 'n n y y n',
  listEndpoints: 'y y y y y',
  setEndpoint: 'n n y y y',
  setPackage: 'n n y y y',
  exportSettings: 'n n y y y',
  settingHistory: 'n n y y y',
  importSettings: 'n n n y n',
  fetchManifest: 'n n n y n',
  downloadBackup: 'n n n y n',
  restoreBackup: 'n n n y n',
  getProvisioning: 'n n n y n',
  status: 'n n n y n',
  openapi: 'y y y y y',
  schema: 'y y y y y',
  health: 'y y y y y',
  ready: 'y y y y y',
  metrics: '- - - - -',
  grafanaWebhook: '- - - - -',
  grafanaWebhookPut: '- - - - -',
  alertmanagerWebhook: '- - - - -',
  gatusWebhook: '- - - - -',
  ownManifest: '- - - - -',
  prometheusTargets: '- - - - -',
  listTokens: 'n n n y n',
  createToken: 'n n n y n',
  rotateToken: 'n n n y n',
  revokeToken: 'n n n y n',
  getAdminToken: 'n n n y n',
  rotateAdminToken: '- - - - -',
  listAudit: 'n n n y n',
  listChannels: 'n n n y n',
  testChannel: 'n n n y n',
  testRoutes: 'n n n y n',
  getPushKey: 'y y y y y',
  replacePushKey: 'n n n y n',
  listDevices: 'n y y y y',
  addDevice: 'n y y y y',
  renameDevice: 'n y y y y',
  removeDevice: 'n y y y y',
  testDevice: 'n y y y y',
  listUndelivered: 'n n n y n',
  sendUndelivered: 'n n n y n',
  getRetention: 'n n n y n',
  setRetention: 'n n n y n',
  previewRetention: 'n n n y n',
  importArchive: '- - - - -',
};

/** A request that the operation responds to with something else than 403. */
export function requestOf(id: string): { method: string; path: string } {
  const operation = OPERATIONS.find((one) => one.id === id)!;
  const names: Record<string, string> = { id: '1', name: 'notification' };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? 'x.eth');
  return { method: operation.method.toUpperCase(), path: path.slice(1) };
}
