import { ConfirmModal } from '@grafana/ui';
import { useState } from 'react';
import { t } from '../i18n/t';
import { SmallButton } from './SmallButton';

interface Props {
  /** Name of the entry, for screen readers. */
  name: string;
  /** Question of the dialog. */
  title: string;
  body: string;
  /** Deletes it. The dialog is closed when that has ended. */
  onDelete: (options: { onSettled: () => void }) => void;
}

/** Deletes an entry of a list, after a question. */
export function DeleteButton({ name, title, body, onDelete }: Props) {
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <SmallButton
        icon="trash-alt"
        aria-label={t('channels.row.delete-what', 'Delete {{name}}', { name })}
        onClick={() => setAsking(true)}
      />
      <ConfirmModal
        isOpen={asking}
        title={title}
        body={body}
        confirmText={t('channels.row.delete', 'Delete')}
        // The dialog disables its button until then.
        onConfirm={() =>
          new Promise<void>((resolve) => {
            const onSettled = () => {
              resolve();
              close();
            };
            onDelete({ onSettled });
          })
        }
        onDismiss={close}
      />
    </>
  );
}
