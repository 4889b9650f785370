import { ROLES, type PluginJson, type Role } from './pluginJson.ts';

export interface Identity {
  /** 0: nobody has signed in. */
  id: number;
  login: string;
  name: string;
  role: Role;
  anonymous: boolean;
  /** Actions of the plugin that were granted besides those of the role, as custom roles do it. */
  granted: readonly string[];
}

const PEOPLE = ['Anonymous', ...ROLES] as const;
type Who = (typeof PEOPLE)[number];

const person = (id: number, role: Role): Omit<Identity, 'granted'> => {
  return { id, login: role.toLowerCase(), name: role, role, anonymous: false };
};

const USERS: Record<Who, Omit<Identity, 'granted'>> = {
  Admin: person(1, 'Admin'),
  Editor: person(2, 'Editor'),
  Viewer: person(3, 'Viewer'),
  // Grafana's default with `[auth.anonymous] org_role = Viewer`.
  Anonymous: { id: 0, login: '', name: '', role: 'Viewer', anonymous: true },
};

export const isPerson = (value: unknown): value is Who => (PEOPLE as readonly unknown[]).includes(value);

/** Comma-separated action names without the plugin's id, or "none"; stored in a cookie. */
export const isGrants = (value: unknown): boolean =>
  typeof value === 'string' && /^(none|[a-z]+:[a-z]+(,[a-z]+:[a-z]+)*)$/.test(value);

/** Grafana's organisation roles contain each other: an admin may do what an editor may. */
export const includesRole = (has: Role, needed: Role): boolean => ROLES.indexOf(has) >= ROLES.indexOf(needed);

/** Whether the plugin's `roles` grant an action to the person's role, or it was granted besides. */
export function hasAction(plugin: Pick<PluginJson, 'id' | 'roles'>, identity: Identity, action: string): boolean {
  const byRole = (plugin.roles ?? []).some(
    ({ role, grants }) =>
      grants.some((grant) => includesRole(identity.role, grant)) &&
      role.permissions.some((permission) => permission.action === action)
  );
  return byRole || identity.granted.some((granted) => `${plugin.id}.${granted}` === action);
}

export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, value] = part.split('=', 2);
    if (key?.trim() === name) {
      return value?.trim();
    }
  }
  return undefined;
}

/** There is no login: cookies select the user, by default an admin. */
export function identify(cookieHeader: string | undefined): Identity {
  const who = readCookie(cookieHeader, 'nodebell_role');
  const granted = readCookie(cookieHeader, 'nodebell_grants');
  return { ...USERS[isPerson(who) ? who : 'Admin'], granted: isGrants(granted) ? (granted?.split(',') ?? []) : [] };
}

/** The members of Grafana's signed-in user, with the names and in the form in which Go writes them. */
export function grafanaContext({ id, login, name, role, anonymous }: Identity): string {
  const context = {
    UserID: id,
    UserUID: anonymous ? '' : `user-${id}`,
    OrgID: 1,
    OrgName: 'Main Org.',
    OrgRole: role,
    ExternalAuthModule: '',
    Login: login,
    Name: name,
    Email: anonymous ? '' : `${login}@localhost`,
    EmailVerified: false,
    AuthID: '',
    AuthenticatedBy: anonymous ? '' : 'password',
    Namespace: 'default',
    ApiKeyID: 0,
    IsServiceAccount: false,
    IsGrafanaAdmin: role === 'Admin',
    IsAnonymous: anonymous,
    IsDisabled: false,
    HelpFlags1: 0,
    LastSeenAt: new Date().toISOString(),
    Teams: [],
    FallbackType: '',
  };
  const escapes: Record<string, string> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };
  return JSON.stringify(context).replace(/[<>&]/g, (character) => escapes[character] ?? character);
}
