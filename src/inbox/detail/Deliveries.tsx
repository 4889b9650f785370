import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import type { Delivery } from '@nodebell/contract/delivery.ts';
import type { NotificationDetail } from '@nodebell/contract/notification.ts';
import { StateText } from '../../components/StateText';
import { absoluteTime, momentOf } from '../../components/moments';
import { t } from '../../i18n/t';
import { targetInWords } from '../../channels/routeInWords';

interface Props {
  detail: Pick<NotificationDetail, 'deliveries' | 'seenAt'>;
  now: number;
}

/** Deliveries of a notification over channels, and when it was seen here. */
export function Deliveries({ detail: { deliveries = [], seenAt }, now }: Props) {
  const styles = useStyles2(getStyles);
  return deliveries.length === 0 ? null : (
    <ul aria-label={t('inbox.deliveries.title', 'Deliveries')} className={styles.list}>
      {deliveries.map((delivery, index) => (
        <li
          key={`${delivery.channel} ${index}`}
          title={delivery.reason ?? (delivery.at === null ? undefined : absoluteTime(delivery.at))}
        >
          <StateText {...signOf(delivery, now)} />
        </li>
      ))}
      {seenAt !== undefined && (
        <li title={absoluteTime(seenAt)}>
          <StateText
            icon="eye"
            tone="secondary"
            text={t('inbox.deliveries.seen', 'Seen here {{time}}', { time: momentOf(seenAt, now) })}
          />
        </li>
      )}
    </ul>
  );
}

function signOf({ channel: name, person, state, at, attempts }: Delivery, now: number) {
  const channel = person === undefined ? targetInWords(name) : `${person}: ${name}`;
  const time = at === null ? '' : momentOf(at, now);
  switch (state) {
    case 'sent':
      return { icon: 'check', tone: 'success', text: `${channel} ${time}` } as const;
    case 'merged':
      return {
        icon: 'check',
        tone: 'success',
        text: t('inbox.deliveries.merged', '{{channel}} {{time}}, in one message with others', { channel, time }),
      } as const;
    case 'skipped':
      return {
        icon: 'exclamation-triangle',
        tone: 'warning',
        text: t('inbox.deliveries.skipped', '{{channel}}: reached nobody', { channel }),
      } as const;
    case 'undelivered':
      return {
        icon: 'times',
        tone: 'error',
        text: t('inbox.deliveries.undelivered', '{{channel}}: not delivered', { channel }),
      } as const;
    default:
      return {
        icon: 'clock-nine',
        tone: attempts > 0 ? 'warning' : 'secondary',
        text:
          attempts > 0
            ? t('inbox.deliveries.retrying', '{{channel}}: retrying', { channel })
            : t('inbox.deliveries.waiting', '{{channel}}: waiting', { channel }),
      } as const;
  }
}

const getStyles = (theme: GrafanaTheme2) => ({
  list: css({
    listStyle: 'none',
    margin: 0,
    padding: 0,
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(0.5, 2),
  }),
});
