import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Dropdown, Icon, IconButton, Menu, Text, useStyles2 } from '@grafana/ui';
import { t } from '../../i18n/t';
import { type Group, groupName } from '../grouping';
import { menuName, notificationCount } from '../../components/messages';
import { SecondaryText } from '../../components/SecondaryText';

export interface GroupActions {
  onRead: ((group: Group) => void) | undefined;
  onShowOnly: (group: Group) => void;
  /** Undefined without permission. */
  onSwitch: ((group: Group) => void) | undefined;
  onDelete: ((group: Group) => void) | undefined;
}

interface Props {
  group: Group;
  folded: boolean;
  /** It is the only group. */
  alone: boolean;
  disabled: boolean;
  /** False for notifications outside the inbox. */
  countUnread: boolean;
  actions: GroupActions;
}

export function GroupHeader({ group, folded, alone, disabled, countUnread, actions }: Props) {
  const styles = useStyles2(getStyles);
  const name = groupName(group);
  return (
    <div className={styles.header}>
      <div className={styles.title} role="gridcell">
        <Icon name={folded ? 'angle-right' : 'angle-down'} />
        <Text weight="medium" truncate dir="auto">
          {name}
        </Text>
        {!group.enabled && (
          <Icon
            name="bell-slash"
            size="sm"
            title={t('inbox.group.muted', 'Muted: notifications are stored, but not shown')}
          />
        )}
        <span className={styles.counts}>
          <SecondaryText tabular>{counts(group, countUnread)}</SecondaryText>
        </span>
      </div>
      <div
        className={styles.menu}
        role="gridcell"
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => event.stopPropagation()}
      >
        <Dropdown
          placement="bottom-end"
          overlay={() => <GroupMenu {...{ group, alone, disabled, countUnread, actions }} />}
        >
          <IconButton
            name="ellipsis-v"
            size="md"
            aria-label={t('inbox.group.actions', 'Actions for {{name}}', { name })}
          />
        </Dropdown>
      </div>
    </div>
  );
}

function counts({ open, unseen, count }: Group, countUnread: boolean): string {
  const parts = [
    open > 0
      ? t('inbox.group.open', '', {
          count: open,
          defaultValue_one: '{{count, number}} open',
          defaultValue_other: '{{count, number}} open',
        })
      : '',
    countUnread && unseen > 0 ? t('inbox.group.unread', '{{n, number}} unread', { n: unseen }) : '',
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : notificationCount(count);
}

function GroupMenu({ group, alone, disabled, countUnread, actions }: Omit<Props, 'folded'>) {
  const styles = useStyles2(getStyles);
  const name = menuName(groupName(group));
  const { onRead, onDelete } = actions;
  // Only categories can be muted.
  const onSwitch = group.by === '' ? actions.onSwitch : undefined;
  return (
    <Menu ariaLabel={t('inbox.group.actions', 'Actions for {{name}}', { name: groupName(group) })}>
      <div className={styles.items}>
        {countUnread && onRead && (
          <Menu.Item
            label={t('inbox.group.mark-read', 'Mark {{name}} read', { name })}
            icon="check"
            disabled={disabled || group.unseen === 0}
            onClick={() => onRead(group)}
          />
        )}
        {!alone && (
          <Menu.Item
            label={t('inbox.action.only', 'Show only {{name}}', { name })}
            icon="filter"
            onClick={() => actions.onShowOnly(group)}
          />
        )}
        {onSwitch && <Menu.Divider />}
        {onSwitch && (
          <Menu.Item
            label={
              group.enabled
                ? t('inbox.action.mute', 'Mute {{name}}', { name })
                : t('inbox.action.unmute', 'Unmute {{name}}', { name })
            }
            description={
              group.enabled
                ? t('inbox.group.mute-text', 'Notifications are stored, but not shown or counted')
                : t('inbox.group.unmute-text', 'New notifications are shown again')
            }
            icon={group.enabled ? 'bell-slash' : 'bell'}
            disabled={disabled}
            onClick={() => onSwitch(group)}
          />
        )}
        {onDelete && <Menu.Divider />}
        {onDelete && (
          <Menu.Item
            label={t('inbox.group.delete', 'Delete all in {{name}}', { name })}
            icon="trash-alt"
            destructive
            disabled={disabled}
            onClick={() => onDelete(group)}
          />
        )}
      </div>
    </Menu>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  header: css({
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    height: 40,
    padding: theme.spacing(0.5, 1.5, 0, 0.5),
    cursor: 'pointer',
  }),
  title: css({ flex: 1, minWidth: 0, display: 'flex', alignItems: 'center', gap: theme.spacing(1) }),
  menu: css({ display: 'flex', alignItems: 'center' }),
  counts: css({ flex: 'none', display: 'flex' }),
  items: css({ maxWidth: '90vw' }),
});
