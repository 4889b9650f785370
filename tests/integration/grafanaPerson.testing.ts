/** Headers of a request that comes through Grafana's proxy. */

/** @param context members of Grafana's signed-in user that are not as usual */
export function fromGrafana(login: string, context: Record<string, unknown> = {}): Record<string, string> {
  const person = { OrgID: 1, OrgRole: 'Editor', UserID: 2, UserUID: `uid-of-${login}`, Login: login, ...context };
  return { 'X-Grafana-Context': Buffer.from(JSON.stringify(person), 'utf8').toString('latin1') };
}
