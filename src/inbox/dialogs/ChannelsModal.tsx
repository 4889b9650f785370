import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Badge, Icon, Modal, Text, useStyles2, type IconName } from '@grafana/ui';
import { Fragment } from 'react';
import { t } from '../../i18n/t';
import { OnEveryPage } from './OnEveryPage';

interface Channel {
  name: string;
  icon: IconName;
  text: string;
  ready: boolean;
}

const channels = (): Channel[] => [
  {
    name: t('inbox.channels.inbox', 'Inbox'),
    icon: 'bell',
    text: t('inbox.channels.inbox-text', 'All notifications appear here immediately, for every user of this Grafana.'),
    ready: true,
  },
  {
    name: t('inbox.channels.push', 'Web push'),
    icon: 'mobile-android',
    text: t('inbox.channels.push-text', 'Browser and phone notifications, even when Grafana is closed.'),
    ready: false,
  },
  {
    name: t('inbox.channels.app', 'Messaging app'),
    icon: 'comment-alt',
    text: t('inbox.channels.app-text', 'Messages in an app such as Telegram.'),
    ready: false,
  },
];

/** Notification channels, available and planned. */
export function ChannelsModal({ onDismiss }: { onDismiss: () => void }) {
  const styles = useStyles2(getStyles);
  return (
    <Modal isOpen title={t('inbox.channels.title', 'Notification channels')} onDismiss={onDismiss}>
      <ul className={styles.list}>
        {channels().map(({ name, icon, text, ready }) => (
          <Fragment key={name}>
            <li className={styles.channel}>
              <Icon name={icon} size="xl" />
              <div className={styles.words}>
                <Text weight="medium">{name}</Text>
                <Text color="secondary" variant="bodySmall">
                  {text}
                </Text>
              </div>
              {ready ? (
                <Badge text={t('inbox.channels.in-use', 'Active')} color="green" icon="check" />
              ) : (
                <Badge text={t('inbox.channels.planned', 'Planned')} color="darkgrey" icon="clock-nine" />
              )}
            </li>
            {ready && <OnEveryPage />}
          </Fragment>
        ))}
      </ul>
      <Text color="secondary" variant="bodySmall">
        {t('inbox.channels.alerting', 'Nodebell does not change the contact points of Grafana Alerting.')}
      </Text>
    </Modal>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  list: css({
    listStyle: 'none',
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(2),
    marginBottom: theme.spacing(2),
  }),
  channel: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(2) }),
  words: css({ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column' }),
});
