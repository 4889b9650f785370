import { PluginContextProvider, type PluginExtensionOpenModalOptions } from '@grafana/data';
import { Modal, ModalsContext } from '@grafana/ui';
import { type ElementType, useContext } from 'react';
import { bootData } from '../bootData.ts';

interface ModalProps {
  title: string;
  body: ElementType<{ onDismiss?: () => void }>;
  onDismiss: () => void;
}

const Opened = ({ title, body: Body, onDismiss }: ModalProps) => (
  <PluginContextProvider meta={bootData.nodebell.app}>
    <Modal isOpen title={title} onDismiss={onDismiss}>
      <Body onDismiss={onDismiss} />
    </Modal>
  </PluginContextProvider>
);

/** Opens a dialog for a link, as Grafana does. */
export function useOpenModal(): (options: PluginExtensionOpenModalOptions) => void {
  const { showModal, hideModal } = useContext(ModalsContext);
  return ({ title, body }) => showModal(Opened, { title, body, onDismiss: hideModal });
}
