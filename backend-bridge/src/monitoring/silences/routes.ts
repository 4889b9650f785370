/** Operations on silences at the source of alerts. */
import type { RESPOND } from '../../../contract/api/respond.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { includesRole } from '../../../contract/roles.ts';
import { silencePathSchema } from '../../../contract/silence.ts';
import type { Person } from '../../platform/http/guard.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { readParameters, readUntil } from '../../platform/http/query.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import type { Silencing } from './service.ts';

export interface SilenceDeps {
  silencing: Silencing;
  /** UTC milliseconds. */
  now: () => number;
}

type SilenceOperations = Pick<
  typeof RESPOND,
  'listSilences' | 'changeSilence' | 'previewSilence' | 'recordSilence' | 'saveSilence' | 'endSilence'
>;

export const silenceHandlers = ({ silencing, now }: SilenceDeps): Handlers<SilenceOperations> => ({
  listSilences: ({ query }) => silencing.list(query.alertmanager, query.all),
  async changeSilence({ body, person, by, req }) {
    requireEditor(person);
    const { silence } = readParameters(req, silencePathSchema);
    const until = body.until && new Date(readUntil(body.until, LIMITS.silenceDays.value, now())).toISOString();
    return { id: await silencing.change(body.alertmanager, silence, until, by) };
  },
  async previewSilence({ body, person }) {
    requireEditor(person);
    return { alerts: await silencing.covered(body.alertmanager, body.matchers) };
  },
  recordSilence: ({ params, body, by }) => silencing.record(params.id, body, by),
  async saveSilence({ params, body, person, by }) {
    requireEditor(person);
    const until = new Date(readUntil(body.until, LIMITS.silenceDays.value, now())).toISOString();
    return { id: await silencing.save(params.id, { ...body, until }, by) };
  },
  endSilence({ params, query, person, by, req }) {
    requireEditor(person);
    const { silence } = readParameters(req, silencePathSchema);
    return silencing.end(params.id, query.alertmanager, silence, by);
  },
});

/** The service account may do more than everybody who was granted `inbox:write`. */
function requireEditor(person: Person | undefined): void {
  if (person !== undefined && !includesRole(person.role, 'Editor')) {
    throw new HttpProblem('forbidden', 'Silencing through the bridge requires the role Editor.');
  }
}
