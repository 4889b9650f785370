/** The active silences, and what the user can do with them. */
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { Notification } from '@nodebell/contract/notification.ts';
import { type Silence, silencesOf } from '@nodebell/contract/silence.ts';
import { momentLabel } from '../../components/moments';
import { t } from '../../i18n/t';
import { listSilences, silence, type Through, unsilence, type Wanted } from '../../api/silences';
import type { StateSign } from '../../components/threads';

export const silencesKey = ['inbox', 'silences'] as const;
/** Polling interval in milliseconds: silences created in Grafana are not reported to the bridge. */
const EVERY_MS = 30_000;

/** @param all also pending and expired ones */
export const silencesQuery = (all = false) =>
  queryOptions({
    queryKey: [...silencesKey, all],
    queryFn: ({ signal }) => listSilences(all, signal),
    structuralSharing: true,
  });

/** Alerts of Grafana and Alertmanager can be silenced there. */
export const isAlert = ({ source }: Pick<Notification, 'source'>): boolean =>
  source === 'grafana' || source === 'alertmanager';

/** Keeps the silences of shown rows up to date while the page is visible. */
export function useSilencePolling(rows: readonly Notification[]): void {
  useQuery({ ...silencesQuery(), enabled: rows.some(isAlert), refetchInterval: EVERY_MS, notifyOnChangeProps: [] });
}

/** Silences of a notification's thread, the one that ends last first. */
export function useSilencesOf(notification: Notification): Silence[] {
  const { data } = useQuery({
    ...silencesQuery(),
    enabled: isAlert(notification),
    select: ({ silences }) => silencesOf(silences, notification),
  });
  return data ?? [];
}

/** For the row and the detail. */
export function useSilenceSigns(notification: Notification, now: number): StateSign[] {
  const silences = useSilencesOf(notification);
  const { suppressed } = notification.thread;
  if (silences.length === 0 && suppressed?.by === 'silence') {
    const text = t('inbox.suppressed.silence', 'Silenced: {{reason}}', { reason: suppressed.reason });
    return [{ icon: 'bell-slash', tone: 'secondary', text, short: suppressed.reason }];
  }
  return silences.slice(0, 1).map(({ by, until, comment }) => {
    const time = momentLabel(until, now);
    const text =
      by === ''
        ? t('inbox.silence.until', 'Silenced until {{time}}', { time })
        : t('inbox.silence.until-by', 'Silenced by {{name}} until {{time}}', { name: by, time });
    return {
      icon: 'bell-slash',
      tone: 'secondary',
      text: comment === '' ? text : `${text}: ${comment}`,
      short: time,
    };
  });
}

/** @param id of a notification of the thread */
export function useSilencing(id: number, through: Through) {
  const rereads = [['inbox']];
  const save = useMutation({
    meta: { failure: t('inbox.silence.failure', 'Could not silence'), rereads },
    mutationFn: (wanted: Wanted) => silence(through, id, wanted),
  });
  const end = useMutation({
    meta: { failure: t('inbox.silence.failure-end', 'Could not end the silence'), rereads },
    mutationFn: (known: Silence) => unsilence(through, id, known),
  });
  return { save, end };
}
