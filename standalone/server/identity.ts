export const ROLES = ['Viewer', 'Editor', 'Admin'] as const;
export type Role = (typeof ROLES)[number];

export interface Identity {
  id: number;
  login: string;
  name: string;
  role: Role;
}

const USERS: Record<Role, Identity> = {
  Admin: { id: 1, login: 'admin', name: 'Admin', role: 'Admin' },
  Editor: { id: 2, login: 'editor', name: 'Editor', role: 'Editor' },
  Viewer: { id: 3, login: 'viewer', name: 'Viewer', role: 'Viewer' },
};

export const isRole = (value: unknown): value is Role => (ROLES as readonly unknown[]).includes(value);

/** Grafana's organisation roles contain each other: an admin may do what an editor may. */
export const includesRole = (has: Role, needed: Role): boolean => ROLES.indexOf(has) >= ROLES.indexOf(needed);

export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, value] = part.split('=', 2);
    if (key?.trim() === name) {
      return value?.trim();
    }
  }
  return undefined;
}

/** There is no login here: the cookie says which of three people is at the keyboard, an admin if it says nothing. */
export function identify(cookieHeader: string | undefined): Identity {
  const role = readCookie(cookieHeader, 'nodebell_role');
  return USERS[isRole(role) ? role : 'Admin'];
}

/** The members of Grafana's signed-in user, with the names and in the form in which Go writes them. */
export function grafanaContext({ id, login, name, role }: Identity): string {
  const context = {
    UserID: id,
    UserUID: `user-${id}`,
    OrgID: 1,
    OrgName: 'Main Org.',
    OrgRole: role,
    ExternalAuthModule: '',
    Login: login,
    Name: name,
    Email: `${login}@localhost`,
    EmailVerified: false,
    AuthID: '',
    AuthenticatedBy: 'password',
    Namespace: 'default',
    ApiKeyID: 0,
    IsServiceAccount: false,
    IsGrafanaAdmin: role === 'Admin',
    IsAnonymous: false,
    IsDisabled: false,
    HelpFlags1: 0,
    LastSeenAt: new Date().toISOString(),
    Teams: [],
    FallbackType: '',
  };
  const escapes: Record<string, string> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };
  return JSON.stringify(context).replace(/[<>&]/g, (character) => escapes[character] ?? character);
}
