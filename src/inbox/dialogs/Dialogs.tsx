import type { Dialog } from '../PageMenu';
import { CategoriesDrawer } from './CategoriesDrawer';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Badge, Box, Icon, Modal, Stack, Text, TextLink, useStyles2, type IconName, Switch } from '@grafana/ui';
import { type ReactNode, useState } from 'react';
import { t } from '../../i18n/t';
import { may } from '../../api/permissions';
import { pathTo } from '../../routes';
import { hasConsent, setConsent } from '../../toasts/consent';
import { Devices } from '../../push/Devices';
import { shortcuts } from '../useKeys';
import { SecondaryText } from '../../components/SecondaryText';

interface Props {
  dialog: Dialog;
  disabled: boolean;
  onSwitch: ((category: string, enabled: boolean) => void) | undefined;
  onClose: () => void;
}

export default function Dialogs({ dialog, disabled, onSwitch, onClose }: Props) {
  switch (dialog) {
    case 'categories':
      return <CategoriesDrawer disabled={disabled} onSwitch={onSwitch} onClose={onClose} />;
    case 'channels':
      return <ChannelsModal onDismiss={onClose} />;
    case 'shortcuts':
      return <ShortcutsModal onDismiss={onClose} />;
  }
}

interface ChannelProps {
  name: string;
  icon: IconName;
  text: string;
  badge?: ReactNode;
}

const Channel = ({ name, icon, text, badge }: ChannelProps) => (
  <li>
    <Stack gap={2} alignItems="center">
      <Icon name={icon} size="xl" />
      <Stack direction="column" gap={0} flex={1} minWidth={0}>
        <Text weight="medium">{name}</Text>
        <SecondaryText>{text}</SecondaryText>
      </Stack>
      {badge}
    </Stack>
  </li>
);

/** Channels that reach this user: the inbox and own devices. */
function ChannelsModal({ onDismiss }: { onDismiss: () => void }) {
  const styles = useStyles2(getStyles);
  return (
    <Modal isOpen title={t('inbox.channels.title', 'Notification channels')} onDismiss={onDismiss}>
      <ul className={styles.list}>
        <Channel
          name={t('inbox.channels.inbox', 'Inbox')}
          icon="bell"
          text={t(
            'inbox.channels.inbox-text',
            'All notifications appear here immediately, for every user of this Grafana.'
          )}
          badge={<Badge text={t('inbox.channels.in-use', 'Active')} color="green" icon="check" />}
        />
        <OnEveryPage />
        <Channel
          name={t('inbox.channels.push', 'Web push')}
          icon="mobile-android"
          text={t('inbox.channels.push-text', 'Browser and phone notifications, even when Grafana is closed.')}
        />
        <li>
          {/* Below the names of the channels, which have an icon before them. */}
          <Box paddingLeft={5}>
            <Devices />
          </Box>
        </li>
      </ul>
      {may('bridge:admin') && (
        <p>
          <TextLink href={pathTo.channels} variant="bodySmall" inline={false} onClick={onDismiss}>
            {t('inbox.channels.page', 'Channels for everyone: mail, Telegram and others')}
          </TextLink>
        </p>
      )}
      <SecondaryText>
        {t('inbox.channels.alerting', 'Nodebell does not change the contact points of Grafana Alerting.')}
      </SecondaryText>
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
});

const ID = 'nodebell-toasts';

/** Turns critical notifications on all Grafana pages on or off, for this browser. */
function OnEveryPage() {
  const [on, setOn] = useState(hasConsent);
  const change = async (wanted: boolean) => {
    setConsent(wanted);
    setOn(wanted);
    const { beginToasts, endToasts } = await import(/* webpackChunkName: "toasts" */ '../../toasts/begin');
    if (wanted) {
      beginToasts();
    } else {
      endToasts();
    }
  };
  return (
    <Box element="li" display="flex" alignItems="center" gap={2}>
      <Icon name="apps" size="xl" />
      <Box flex={1} minWidth={0}>
        <label htmlFor={ID}>
          <Stack direction="column" gap={0}>
            <Text weight="medium">{t('inbox.channels.everywhere', 'All Grafana pages, in this browser')}</Text>
            <SecondaryText>
              {t(
                'inbox.channels.everywhere-text',
                'Show new critical notifications on every Grafana page, once across all tabs. This keeps a connection to the bridge open.'
              )}
            </SecondaryText>
          </Stack>
        </label>
      </Box>
      <Switch id={ID} value={on} onChange={(event) => void change(event.currentTarget.checked)} />
    </Box>
  );
}

function ShortcutsModal({ onDismiss }: { onDismiss: () => void }) {
  const styles = useStyles2(getShortcutsModalStyles);
  return (
    <Modal isOpen title={t('inbox.keys.title', 'Keyboard shortcuts')} onDismiss={onDismiss}>
      <dl className={styles.list}>
        {shortcuts().map(({ keys, label }) => (
          <div key={keys} className={styles.entry}>
            <dt>{label}</dt>
            <dd>
              <kbd className={styles.key}>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}

const getShortcutsModalStyles = (theme: GrafanaTheme2) => ({
  list: css({
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(240px, 1fr))',
    gap: theme.spacing(1.5, 6),
    margin: 0,
    paddingBottom: theme.spacing(1),
  }),
  entry: css({
    display: 'flex',
    justifyContent: 'space-between',
    alignItems: 'center',
    '& dt, & dd': { margin: 0, fontWeight: 'normal' },
  }),
  key: css({
    ...theme.typography.code,
    padding: theme.spacing(0.25, 1),
    border: `1px solid ${theme.colors.border.medium}`,
    borderRadius: theme.shape.radius.default,
    background: theme.colors.background.canvas,
    color: theme.colors.text.primary,
    boxShadow: 'none',
  }),
});
