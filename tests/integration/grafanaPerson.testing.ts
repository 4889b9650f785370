/** Headers of a request through Grafana's proxy. */

/** @param context overrides members of Grafana's signed-in user */
export function fromGrafana(login: string, context: Record<string, unknown> = {}): Record<string, string> {
  const person = { OrgID: 1, OrgRole: 'Editor', UserID: 2, UserUID: `uid-of-${login}`, Login: login, ...context };
  return { 'X-Grafana-Context': Buffer.from(JSON.stringify(person), 'utf8').toString('latin1') };
}
