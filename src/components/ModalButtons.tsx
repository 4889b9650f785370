import { Button, type ButtonProps, Modal } from '@grafana/ui';
import { t } from '../i18n/t';
import { PendingButton } from './PendingButton';

type Props = ButtonProps & {
  onCancel: () => void;
  /** If there is nothing to cancel any more. */
  cancelLabel?: string | undefined;
  /** The request of the dialog is in flight. */
  pending?: boolean;
};

/** The buttons of a dialog: one that closes it, and the one with the other properties. */
export const ModalButtons = ({ onCancel, cancelLabel, pending = false, ...confirm }: Props) => (
  <Modal.ButtonRow>
    <Button variant="secondary" fill="outline" onClick={onCancel}>
      {cancelLabel ?? t('channels.form.cancel', 'Cancel')}
    </Button>
    <PendingButton pending={pending} {...confirm} />
  </Modal.ButtonRow>
);
