import { Button, Dropdown, IconButton, Menu } from '@grafana/ui';
import { afterMenu } from '../components/afterMenu';
import { t } from '../i18n/t';

export type Dialog = 'categories' | 'channels' | 'shortcuts';

interface Props {
  narrow: boolean;
  unread: number;
  filtered: boolean;
  disabled: boolean;
  /** Undefined for anonymous users, who have no read state. */
  onMarkAll: (() => void) | undefined;
  onSelect: () => void;
  onDialog: (dialog: Dialog) => void;
  /** Address of a file with what the list shows, at the time of the call. */
  csvAddress: () => string;
}

/** At the right of the title. */
export function PageActions({ narrow, unread, filtered, disabled, onMarkAll, onSelect, onDialog, csvAddress }: Props) {
  const label = filtered
    ? t('inbox.page.mark-matching', 'Mark all matching as read')
    : t('inbox.page.mark-all', 'Mark all read');
  const none = disabled || unread === 0;
  return (
    <>
      {onMarkAll && narrow && <IconButton name="check" size="xl" tooltip={label} disabled={none} onClick={onMarkAll} />}
      {onMarkAll && !narrow && (
        <Button variant="secondary" icon="check" disabled={none} onClick={onMarkAll}>
          {label}
        </Button>
      )}
      <Dropdown
        placement="bottom-end"
        overlay={() => (
          <Menu ariaLabel={t('inbox.page.actions', 'Inbox actions')}>
            <Menu.Item label={t('inbox.page.select', 'Select notifications')} icon="check-square" onClick={onSelect} />
            <Menu.Item
              label={t('inbox.page.csv', 'Download CSV')}
              icon="download-alt"
              url={csvAddress()}
              target="_self"
            />
            <Menu.Divider />
            <Menu.Item
              label={t('inbox.categories.title', 'Categories')}
              icon="bell-slash"
              description={t('inbox.page.categories-text', 'Mute or unmute categories')}
              onClick={() => afterMenu(() => onDialog('categories'))}
            />
            <Menu.Item
              label={t('inbox.channels.title', 'Notification channels')}
              icon="message"
              onClick={() => afterMenu(() => onDialog('channels'))}
            />
            <Menu.Divider />
            <Menu.Item
              label={t('inbox.keys.title', 'Keyboard shortcuts')}
              icon="keyboard"
              shortcut="?"
              onClick={() => afterMenu(() => onDialog('shortcuts'))}
            />
          </Menu>
        )}
      >
        <Button
          variant="secondary"
          fill={narrow ? 'text' : 'solid'}
          icon="ellipsis-v"
          aria-label={t('inbox.page.actions', 'Inbox actions')}
        />
      </Dropdown>
    </>
  );
}
