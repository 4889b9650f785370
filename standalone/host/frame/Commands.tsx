import { type AppPlugin, locationUtil, type PluginExtensionAddedLinkConfig } from '@grafana/data';
import { locationService } from '@grafana/runtime';
import { Dropdown, IconButton, Menu, Modal, ModalsContext } from '@grafana/ui';
import { type ElementType, useContext, useEffect, useState } from 'react';
import { BehaviorSubject } from 'rxjs';

const PALETTE = 'grafana/commandpalette/action';

/** What the plugin registered for Grafana's command palette. It renders inside the frame but stands in the frame's bar. */
const commands = new BehaviorSubject<PluginExtensionAddedLinkConfig[]>([]);

export function offerCommands({ addedLinkConfigs }: AppPlugin): void {
  commands.next(addedLinkConfigs.filter(({ targets }) => targets.includes(PALETTE)));
}

interface ModalProps {
  title: string;
  body: ElementType<{ onDismiss?: () => void }>;
  onDismiss: () => void;
}

const Opened = ({ title, body: Body, onDismiss }: ModalProps) => (
  <Modal isOpen title={title} onDismiss={onDismiss}>
    <Body onDismiss={onDismiss} />
  </Modal>
);

/** Stands in for the command palette: the same entries in a menu, without the search. */
export function Commands() {
  const [links, setLinks] = useState(commands.value);
  useEffect(() => {
    const subscription = commands.subscribe(setLinks);
    return () => subscription.unsubscribe();
  }, []);
  const { showModal, hideModal } = useContext(ModalsContext);
  const open = ({ path, onClick }: PluginExtensionAddedLinkConfig) => {
    if (path) {
      locationService.push(locationUtil.stripBaseFromUrl(path));
    }
    onClick?.(undefined, {
      extensionPointId: PALETTE,
      openModal: ({ title, body }) => showModal(Opened, { title, body, onDismiss: hideModal }),
      openSidebar: () => undefined,
      closeSidebar: () => undefined,
      toggleSidebar: () => undefined,
    });
  };
  const menu = (
    <Menu ariaLabel="Commands">
      {links.map((link) => (
        <Menu.Item key={link.title} label={link.title} icon={link.icon ?? 'bolt'} onClick={() => open(link)} />
      ))}
    </Menu>
  );
  return (
    <Dropdown overlay={menu} placement="bottom-end">
      <IconButton name="keyboard" size="lg" aria-label="Commands" />
    </Dropdown>
  );
}
