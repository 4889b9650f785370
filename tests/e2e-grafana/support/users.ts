/** Users of the tests. The admin exists; the others are created, in the admin's organization. */
const { GRAFANA_ADMIN_USER = 'admin', GRAFANA_ADMIN_PASSWORD = 'admin' } = process.env;

const PASSWORD = process.env['GRAFANA_TEST_PASSWORD'] ?? 'nodebell-e2e';

export const USERS = {
  admin: { user: GRAFANA_ADMIN_USER, password: GRAFANA_ADMIN_PASSWORD },
  editor: { user: 'nodebell-e2e-editor', password: PASSWORD, role: 'Editor' },
  viewer: { user: 'nodebell-e2e-viewer', password: PASSWORD, role: 'Viewer' },
} as const;

/** Where the login of plugin-e2e keeps a session. */
export const sessionOf = (name: keyof typeof USERS): string => `playwright/.auth/${USERS[name].user}.json`;
