import { Button, Dropdown, IconButton, Menu } from '@grafana/ui';

export type Dialog = 'categories' | 'channels' | 'shortcuts';

interface Props {
  narrow: boolean;
  unread: number;
  filtered: boolean;
  disabled: boolean;
  /** Undefined: who has not signed in has seen nothing. */
  onMarkAll: (() => void) | undefined;
  onSelect: () => void;
  onDialog: (dialog: Dialog) => void;
}

/** At the right of the title. */
export function PageActions({ narrow, unread, filtered, disabled, onMarkAll, onSelect, onDialog }: Props) {
  const label = filtered ? 'Mark all that match read' : 'Mark all read';
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
          <Menu ariaLabel="Inbox actions">
            <Menu.Item label="Select notifications" icon="check-square" onClick={onSelect} />
            <Menu.Divider />
            <Menu.Item
              label="Categories"
              icon="bell-slash"
              description="Mute and unmute"
              onClick={() => onDialog('categories')}
            />
            <Menu.Item label="Where notifications go" icon="message" onClick={() => onDialog('channels')} />
            <Menu.Divider />
            <Menu.Item label="Keyboard shortcuts" icon="keyboard" shortcut="?" onClick={() => onDialog('shortcuts')} />
          </Menu>
        )}
      >
        <Button variant="secondary" fill={narrow ? 'text' : 'solid'} icon="ellipsis-v" aria-label="Inbox actions" />
      </Dropdown>
    </>
  );
}
