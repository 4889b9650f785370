import { locationService } from '@grafana/runtime';
import { Dropdown, IconButton, Menu, Stack } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import type { Notification } from '@nodebell/contract/notification.ts';
import { t } from '../../i18n/t';
import { packagesQuery } from '../../packages/queries';
import { categoryName, shortName } from '../../components/messages';
import { pathTo } from '../../routes';

export interface DetailHandlers {
  /** Undefined for what is not part of the inbox. */
  onMark: ((seen: boolean) => void) | undefined;
  onShowOnly: (filter: { categories: string[] } | { packages: string[] }) => void;
  onCopyLink: () => void;
  /** Undefined where the user may not. */
  onMute: (() => void) | undefined;
  onDelete: (() => void) | undefined;
}

interface Props {
  notification: Notification;
  unread: boolean;
  disabled: boolean;
  handlers: DetailHandlers;
}

/** What can be done with the notification that is shown. */
export function DetailActions({ notification, unread, disabled, handlers }: Props) {
  const { onMark, onMute, onDelete } = handlers;
  const name = categoryName(notification.category);
  return (
    <Stack gap={1.5} alignItems="center">
      {onMark && (
        <IconButton
          name={unread ? 'check' : 'envelope'}
          size="lg"
          tooltip={unread ? t('inbox.action.read', 'Mark read') : t('inbox.action.unread', 'Mark unread')}
          disabled={disabled}
          onClick={() => onMark(unread)}
        />
      )}
      {onMute && (
        <IconButton
          name="bell-slash"
          size="lg"
          tooltip={t('inbox.action.mute', 'Mute {{name}}', { name })}
          disabled={disabled}
          onClick={onMute}
        />
      )}
      {onDelete && (
        <IconButton
          name="trash-alt"
          size="lg"
          tooltip={t('inbox.action.delete', 'Delete')}
          disabled={disabled}
          onClick={onDelete}
        />
      )}
      <Dropdown placement="bottom-end" overlay={() => <MoreMenu notification={notification} handlers={handlers} />}>
        <IconButton name="ellipsis-v" size="lg" aria-label={t('inbox.action.more', 'More actions')} />
      </Dropdown>
    </Stack>
  );
}

function MoreMenu({ notification: { category, dnpName }, handlers }: Pick<Props, 'notification' | 'handlers'>) {
  const sets = useQuery(packagesQuery()).data?.some((one) => one.dnpName === dnpName && one.endpoints > 0);
  return (
    <Menu ariaLabel={t('inbox.action.more', 'More actions')}>
      <Menu.Item label={t('inbox.action.copy-link', 'Copy link')} icon="link" onClick={handlers.onCopyLink} />
      {sets && (
        <Menu.Item
          label={t('inbox.action.thresholds', 'Thresholds of {{name}}', { name: shortName(dnpName) })}
          icon="sliders-v-alt"
          onClick={() => locationService.push(pathTo.thresholdsOf(dnpName))}
        />
      )}
      <Menu.Divider />
      <Menu.Item
        label={t('inbox.action.only', 'Show only {{name}}', { name: categoryName(category) })}
        icon="filter"
        onClick={() => handlers.onShowOnly({ categories: [category] })}
      />
      <Menu.Item
        label={t('inbox.action.only', 'Show only {{name}}', { name: shortName(dnpName) })}
        icon="filter"
        onClick={() => handlers.onShowOnly({ packages: [dnpName] })}
      />
    </Menu>
  );
}
