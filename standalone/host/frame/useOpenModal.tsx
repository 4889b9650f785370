import { PluginContextProvider, type PluginExtensionOpenModalOptions, type PluginMeta } from '@grafana/data';
import { Modal, ModalsContext } from '@grafana/ui';
import { type ElementType, useContext } from 'react';

interface ModalProps {
  meta: PluginMeta;
  title: string;
  body: ElementType<{ onDismiss?: () => void }>;
  onDismiss: () => void;
}

const Opened = ({ meta, title, body: Body, onDismiss }: ModalProps) => (
  <PluginContextProvider meta={meta}>
    <Modal isOpen title={title} onDismiss={onDismiss}>
      <Body onDismiss={onDismiss} />
    </Modal>
  </PluginContextProvider>
);

/** Opens a dialog for a link of a plugin, as Grafana does. */
export function useOpenModal(): (meta: PluginMeta, options: PluginExtensionOpenModalOptions) => void {
  const { showModal, hideModal } = useContext(ModalsContext);
  return (meta, { title, body }) => showModal(Opened, { meta, title, body, onDismiss: hideModal });
}
