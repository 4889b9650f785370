import { locationService } from '@grafana/runtime';
import { Dropdown, IconButton, Menu, Stack } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import type { Notification } from '@nodebell/contract/notification.ts';
import { packagesQuery } from '../../packages/queries';
import { categoryName, shortName } from '../../parts/words';
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
          tooltip={unread ? 'Mark read' : 'Mark unread'}
          disabled={disabled}
          onClick={() => onMark(unread)}
        />
      )}
      {onMute && (
        <IconButton name="bell-slash" size="lg" tooltip={`Mute ${name}`} disabled={disabled} onClick={onMute} />
      )}
      {onDelete && <IconButton name="trash-alt" size="lg" tooltip="Delete" disabled={disabled} onClick={onDelete} />}
      <Dropdown placement="bottom-end" overlay={() => <MoreMenu notification={notification} handlers={handlers} />}>
        <IconButton name="ellipsis-v" size="lg" aria-label="More actions" />
      </Dropdown>
    </Stack>
  );
}

function MoreMenu({ notification: { category, dnpName }, handlers }: Pick<Props, 'notification' | 'handlers'>) {
  const sets = useQuery(packagesQuery()).data?.some((one) => one.dnpName === dnpName && one.endpoints > 0);
  return (
    <Menu ariaLabel="More actions">
      <Menu.Item label="Copy link" icon="link" onClick={handlers.onCopyLink} />
      {sets && (
        <Menu.Item
          label={`Thresholds of ${shortName(dnpName)}`}
          icon="sliders-v-alt"
          onClick={() => locationService.push(pathTo.thresholdsOf(dnpName))}
        />
      )}
      <Menu.Divider />
      <Menu.Item
        label={`Show only ${categoryName(category)}`}
        icon="filter"
        onClick={() => handlers.onShowOnly({ categories: [category] })}
      />
      <Menu.Item
        label={`Show only ${shortName(dnpName)}`}
        icon="filter"
        onClick={() => handlers.onShowOnly({ packages: [dnpName] })}
      />
    </Menu>
  );
}
