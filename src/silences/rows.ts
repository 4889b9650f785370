/** Silences and maintenance windows in one list. Pure. */
import type { Maintenance } from '@nodebell/contract/suppression.ts';
import { formatMatchers } from '@nodebell/contract/matchers.ts';
import { NODEBELL, type Silence } from '@nodebell/contract/silence.ts';
import { urlSegment, urlValue } from '@nodebell/contract/url.ts';
import type { ReadSilences, Through } from '../api/silences';

export interface SilenceRow {
  key: string;
  /** The reason. */
  title: string;
  matchers: string;
  by: string;
  state: Maintenance['state'];
  /** When it starts next; null: it is active, or has ended. ISO 8601. */
  from: string | null;
  /** When that ends, or ended; null: never. ISO 8601. */
  until: string | null;
  /** Alerts or threads that it suppresses. */
  count: number;
  /** A silence, and its Alertmanager. */
  silence?: { silence: Silence; name: string; url?: string | undefined; through: Through };
  window?: Maintenance;
}

const STATES: ReadonlyArray<SilenceRow['state']> = ['active', 'pending', 'expired'];

/** Active ones that end first, then those that start first, then expired ones, the last to end on top. */
export function rowsOf(silences: ReadSilences, windows: readonly Maintenance[]): SilenceRow[] {
  const nameOf = (id: string): string => silences.alertmanagers.find((one) => one.id === id)?.name ?? id;
  const rows: SilenceRow[] = [
    ...silences.silences.map((silence) => {
      const { id, alertmanager, comment, matchers, by, state, startsAt, until, alerts } = silence;
      return {
        key: `${alertmanager} ${id}`,
        // An Alertmanager accepts silences without a comment.
        title: comment.trim() === '' ? formatMatchers(matchers) : comment,
        matchers: formatMatchers(matchers),
        by,
        state,
        from: state === 'pending' ? startsAt : null,
        until,
        count: alerts.length,
        silence: {
          silence,
          name: nameOf(alertmanager),
          url: silences.through === 'person' ? urlOf(alertmanager, id) : undefined,
          through: silences.through,
        },
      };
    }),
    ...windows.map((window) => ({
      key: window.id,
      title: window.name,
      matchers: window.matchers,
      by: window.file === undefined ? window.by : '',
      state: window.state,
      from: window.from,
      until: window.state === 'expired' ? (window.endsAt ?? null) : window.until,
      count: window.threads,
      window,
    })),
  ];
  const timeOf = ({ state, from, until }: SilenceRow): number =>
    state === 'expired' ? -Date.parse(until ?? '') || 0 : Date.parse(from ?? until ?? '9999-01-01');
  return rows.sort((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state) || timeOf(a) - timeOf(b));
}

/** Grafana's page of a silence. */
const urlOf = (alertmanager: string, id: string): string | undefined =>
  alertmanager === NODEBELL
    ? undefined
    : `/alerting/silence/${urlSegment(id)}/edit?alertmanager=${urlValue(alertmanager)}`;
