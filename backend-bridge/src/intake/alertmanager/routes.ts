/** Handlers of Alertmanager's API v2. */
import type { ALERTMANAGER } from '../../../contract/api/alertmanager.ts';
import {
  ALERTMANAGER_VERSION,
  type AmAlert,
  type AmAlertsQuery,
  type AmGroup,
  type AmSilence,
} from '../../../contract/alertmanager.ts';
import { compileRegex } from '../../../contract/matcherRegex.ts';
import { compileMatchers, type Matcher } from '../../../contract/matchers.ts';
import { isoTime } from '../../../contract/text.ts';
import { HttpProblem, invalid } from '../../platform/http/problem.ts';
import { senderOf } from '../../platform/http/senderKey.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import { mapInTurns } from '../../platform/runtime/steps.ts';
import { parseFilter } from './filter.ts';
import type { AlertmanagerService } from './service.ts';
import type { OpenAlert } from './openAlert.ts';
import { RECEIVER } from './incoming.ts';
import type { Silences } from './silences.ts';
import { inOrder, isSelected, shownSilence } from './silence.ts';

const RECEIVERS = [{ name: RECEIVER }];
const CONFIG = `route:\n  receiver: ${RECEIVER}\nreceivers:\n  - name: ${RECEIVER}\n`;

export interface AlertmanagerRoutesDeps {
  service: AlertmanagerService;
  version: string;
  /** UTC milliseconds. */
  now: () => number;
}

export function alertmanagerHandlers({ service, version, now }: AlertmanagerRoutesDeps): Handlers<typeof ALERTMANAGER> {
  const startedAt = isoTime(now());
  const { alerts, silences } = service;
  return {
    amStatus: () => ({
      cluster: { name: '', status: 'disabled', peers: [] },
      config: { original: CONFIG },
      uptime: startedAt,
      versionInfo: {
        branch: 'nodebell',
        buildDate: '',
        buildUser: `nodebell ${version}`,
        goVersion: '',
        revision: '',
        version: ALERTMANAGER_VERSION,
      },
    }),
    amReceivers: () => RECEIVERS,
    async amAlerts({ query }) {
      await service.sync();
      return shownAlerts(service, query);
    },
    async amPostAlerts({ body, req, res }) {
      const errors = await alerts.post(body, { sender: res.locals.sender, key: senderOf(req, res) });
      if (errors.length > 0) {
        throw new HttpProblem('malformed', errors.join('; '));
      }
      res.status(200).end();
    },
    async amAlertGroups({ query }) {
      await service.sync();
      return grouped(await shownAlerts(service, query));
    },
    async amSilences({ query }) {
      await service.sync();
      return shownSilences(silences, now(), query.filter);
    },
    async amSaveSilence({ body, by }) {
      await service.sync();
      return { silenceID: await silences.set(body, by) };
    },
    async amSilence({ params }) {
      await service.sync();
      const found = silences.find(params.silenceID);
      if (found === undefined) {
        throw new HttpProblem('not-found', `silence ${params.silenceID} not found`);
      }
      return shownSilence(found, now());
    },
    async amEndSilence({ params, by, res }) {
      await service.sync();
      await silences.end(params.silenceID, by);
      res.status(200).end();
    },
  };
}

const grouped = (alerts: AmAlert[]): AmGroup[] =>
  [...Map.groupBy(alerts, ({ labels }) => labels.alertname ?? '')].map(([alertname, members]) => ({
    labels: Object.fromEntries(alertname === '' ? [] : [['alertname', alertname]]),
    receiver: { name: RECEIVER },
    alerts: members,
  }));

/** Firing alerts that a query selects, by their labels. */
export async function shownAlerts(
  service: Pick<AlertmanagerService, 'alerts' | 'silences' | 'reasons'>,
  { active, silenced, inhibited, filter, receiver }: AmAlertsQuery
): Promise<AmAlert[]> {
  const { alerts, silences } = service;
  const matches = compileMatchers(filterOf(filter), compileRegex);
  if (receiver !== undefined && !compiled(() => compileRegex(receiver)(RECEIVER))) {
    return [];
  }
  const selected = alerts.list().filter(({ labels }) => matches(labels));
  const reasons = await service.reasons(selected);
  const silencing = silences.active();
  // Many alerts and silences take seconds.
  const shown = await mapInTurns(selected, (alert, index) => {
    const silencedBy = silencing.flatMap(({ silence, covers }) => (covers(alert.labels) ? silence.id : []));
    return shownAlert(alert, { silencedBy, ...reasons[index]! });
  });
  return shown
    .filter(
      ({ status: { state, silencedBy, inhibitedBy } }) =>
        (active || state !== 'active') &&
        (silenced || silencedBy.length === 0) &&
        (inhibited || inhibitedBy.length === 0)
    )
    .sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1));
}

/** Silences that a query selects, in the order of Alertmanager. */
export function shownSilences(
  silences: Pick<Silences, 'list'>,
  now: number,
  filter: readonly string[] = []
): AmSilence[] {
  const matchers = filterOf(filter);
  return inOrder(silences.list(), now)
    .filter((one) => isSelected(one, matchers))
    .map((one) => shownSilence(one, now));
}

function shownAlert(alert: OpenAlert, by: Omit<AmAlert['status'], 'state'>): AmAlert {
  const { labels, annotations, generatorURL, fingerprint, startsAt, endsAt, updatedAt } = alert;
  return {
    labels,
    annotations,
    ...(isWebUri(generatorURL) && { generatorURL }),
    fingerprint,
    startsAt: isoTime(startsAt),
    endsAt: isoTime(endsAt),
    updatedAt: isoTime(updatedAt),
    receivers: RECEIVERS,
    status: { state: Object.values(by).every(({ length }) => length === 0) ? 'active' : 'suppressed', ...by },
  };
}

/** Whether it is a URI by RFC 3986, as the document requires; other texts of a sender are kept, but not shown. */
const isWebUri = (text: string): boolean =>
  URL.canParse(text) &&
  /^https?:\/\/(\[[\da-f:.]+\])?([\w.~:/?@!$&'()*+,;=-]|%[\da-f]{2})*(#([\w.~:/?@!$&'()*+,;=-]|%[\da-f]{2})*)?$/i.test(
    text
  );

/** @throws HttpProblem 400 if one is invalid */
const filterOf = (texts: readonly string[]): Matcher[] => compiled(() => texts.map(parseFilter));

/** @throws HttpProblem 400 with the message of the error */
function compiled<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const detail = `bad filter: ${(error as Error).message}`;
    throw invalid([{ pointer: '?filter', found: 'this filter', allowed: "Alertmanager's matchers", detail }]);
  }
}
