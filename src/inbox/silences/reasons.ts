/** Why an alert cannot be silenced from here. */
import { config } from '@grafana/runtime';
import type { NotificationDetail, SourceAlert } from '@nodebell/contract/notification.ts';
import { type Alertmanager, isOfAlertmanager, receivedBy } from '@nodebell/contract/silence.ts';
import { maySilence, type ReadSilences } from '../../api/silences';
import { t } from '../../i18n/t';

/** Alertmanagers of which the alert can be. */
export const targetsOf = ({ source, alert }: NotificationDetail, { alertmanagers }: ReadSilences): Alertmanager[] =>
  alertmanagers.filter(({ id }) => isOfAlertmanager(source, id) && receivedBy(alert, id));

interface Obstacle {
  reason: string;
  /** Where it can be done instead. */
  url?: string | undefined;
}

/** @param target undefined: there is none. @returns undefined if it can be silenced */
export function obstacleOf(
  { alert, source }: NotificationDetail,
  read: ReadSilences,
  target: Alertmanager | undefined
): Obstacle | undefined {
  const url = alert?.silenceUrl ?? alert?.alertmanagerUrl;
  if (alert === undefined) {
    return { reason: t('inbox.silence.no-alert', 'The labels of this alert were not stored.') };
  }
  if (read.reason !== undefined && target === undefined) {
    return { reason: read.reason, url };
  }
  if (target === undefined) {
    const reason = t(
      'inbox.silence.no-source',
      'Grafana does not know this Alertmanager: an admin can add it as a data source of the type Alertmanager.'
    );
    return { reason, url };
  }
  if (source === 'grafana' && read.through === 'person' && !isOfThisGrafana(alert)) {
    return { reason: t('inbox.silence.other', 'This alert comes from another Grafana or another organization.'), url };
  }
  if (target.reason !== undefined) {
    return { reason: target.reason, url };
  }
  return maySilence(read.through, target.id)
    ? undefined
    : {
        reason: t('inbox.silence.forbidden', 'You do not have permission to create silences in {{name}}.', target),
        url,
      };
}

/** Both addresses are what is configured as `root_url`, so it does not matter whether that is right. */
function isOfThisGrafana({ silenceUrl }: SourceAlert): boolean {
  const url = silenceUrl === undefined ? null : URL.parse(silenceUrl);
  if (url === null) {
    return true;
  }
  const org = url.searchParams.get('orgId');
  return url.href.startsWith(config.appUrl) && (org === null || org === String(config.bootData.user.orgId));
}
