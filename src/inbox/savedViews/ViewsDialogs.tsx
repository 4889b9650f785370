import { locationUtil } from '@grafana/data';
import { Badge, Box, ClipboardButton, Field, IconButton, Input, Modal, Text } from '@grafana/ui';
import { type ComponentProps, type FormEvent, useRef, useState } from 'react';
import { DeleteButton } from '../../components/DeleteButton';
import { List } from '../../components/List';
import { t } from '../../i18n/t';
import { pathTo } from '../../routes';
import { nameError, remove, rename, save, type SavedView, setDefault } from './savedViews';
import { useChangeViews, useSavedViews } from './useSavedViews';
import { Failure } from '../../components/Failure';
import { ModalButtons } from '../../components/ModalButtons';

export type ViewsDialog = { kind: 'save' } | { kind: 'manage' } | { kind: 'rename'; name: string };

interface Props {
  dialog: ViewsDialog;
  /** Query string that "Save view" stores. */
  query: string;
  onDialog: (dialog: ViewsDialog) => void;
  onClose: () => void;
}

/** Dialogs of the menu "Views". */
export default function ViewsDialogs({ dialog, query, onDialog, onClose }: Props) {
  switch (dialog.kind) {
    case 'save':
      return <NameDialog query={query} onClose={onClose} />;
    case 'rename':
      return <NameDialog renamed={dialog.name} query={query} onClose={() => onDialog({ kind: 'manage' })} />;
    case 'manage':
      return <ManageDialog onDialog={onDialog} onClose={onClose} />;
  }
}

interface NameProps {
  /** Name of the view to rename; without it, the query is saved. */
  renamed?: string;
  query: string;
  onClose: () => void;
}

function NameDialog({ renamed, query, onClose }: NameProps) {
  const { data = [] } = useSavedViews();
  const change = useChangeViews();
  const [typed, setTyped] = useState(renamed ?? '');
  const name = typed.trim();
  const error = nameError(data, name, renamed);
  const replaces = renamed === undefined && data.some((view) => view.name === name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name !== '' && error === undefined && !change.isPending) {
      const wanted = renamed === undefined ? save(name, query, replaces) : rename(renamed, name);
      change.mutate(wanted, { onSuccess: onClose });
    }
  };
  const title = renamed === undefined ? t('inbox.views.save-title', 'Save view') : t('inbox.views.rename', 'Rename');
  return (
    <Modal isOpen title={title} onDismiss={onClose}>
      <Box element="form" onSubmit={submit} display="flex" direction="column" gap={2}>
        <Failure title={t('inbox.views.not-saved', 'Could not save views')} error={change.error} />
        <Field label={t('inbox.views.name', 'Name')} error={error} invalid={error !== undefined} required noMargin>
          <Input
            id="nodebell-view-name"
            autoFocus
            readOnly={change.isPending}
            value={typed}
            onChange={(e) => setTyped(e.currentTarget.value)}
          />
        </Field>
        <Text element="p" role="status" color="secondary">
          {replaces && t('inbox.views.replaces', 'A view with this name already exists. It will be replaced.')}
        </Text>
        <ModalButtons
          onCancel={onClose}
          type="submit"
          pending={change.isPending}
          disabled={name === '' || error !== undefined}
        >
          {replaces ? t('inbox.views.replace', 'Replace') : t('inbox.views.submit', 'Save')}
        </ModalButtons>
      </Box>
    </Modal>
  );
}

function ManageDialog({ onDialog, onClose }: Pick<Props, 'onDialog' | 'onClose'>) {
  const { data = [], error } = useSavedViews();
  const change = useChangeViews();
  const listRef = useRef<HTMLElement>(null);
  // The button that had the focus is gone, and keys would go to the page behind the dialog.
  const focusList = () => requestAnimationFrame(() => listRef.current?.focus());
  return (
    <Modal isOpen title={t('inbox.views.title', 'Views')} onDismiss={onClose}>
      <Failure title={t('inbox.views.failed', 'Could not load views')} error={error} />
      <Failure title={t('inbox.views.not-saved', 'Could not save views')} error={change.error} />
      {data.length === 0 && !error && <Text color="secondary">{t('inbox.views.none', 'No saved views')}</Text>}
      <List ref={listRef} tabIndex={-1} gap={1}>
        {data.map((view) => (
          <Row
            key={view.name}
            view={view}
            onDefault={() => change.mutate(setDefault(view.isDefault ? undefined : view.name))}
            onRename={() => onDialog({ kind: 'rename', name: view.name })}
            onDelete={({ onSettled }) =>
              change.mutate(remove(view.name), { onSettled: () => (onSettled(), focusList()) })
            }
          />
        ))}
      </List>
    </Modal>
  );
}

interface RowProps {
  view: SavedView;
  onDefault: () => void;
  onRename: () => void;
  onDelete: ComponentProps<typeof DeleteButton>['onDelete'];
}

function Row({ view: { name, query, isDefault }, onDefault, onRename, onDelete }: RowProps) {
  const link = () => window.location.origin + locationUtil.assureBaseUrl(`${pathTo.inbox}?${query}`);
  return (
    <Box element="li" display="flex" alignItems="center" gap={1}>
      <Box flex={1} minWidth={0}>
        <Text element="p" truncate dir="auto" textAlignment="left" title={name}>
          {name}
        </Text>
      </Box>
      {isDefault && <Badge text={t('inbox.views.default', 'Default')} color="blue" />}
      <IconButton
        name={isDefault ? 'favorite' : 'star'}
        tooltip={isDefault ? t('inbox.views.unset', 'Remove as default') : t('inbox.views.set', 'Set as default')}
        onClick={onDefault}
      />
      <ClipboardButton
        icon="link"
        size="sm"
        fill="text"
        variant="secondary"
        tooltip={t('inbox.action.copy-link', 'Copy link')}
        aria-label={t('inbox.action.copy-link', 'Copy link')}
        getText={link}
      />
      <IconButton name="pen" tooltip={t('inbox.views.rename', 'Rename')} onClick={onRename} />
      <DeleteButton
        name={name}
        title={t('inbox.views.delete-title', 'Delete view')}
        body={t('inbox.views.delete-body', 'Delete the view “{{name}}”?', { name })}
        onDelete={onDelete}
      />
    </Box>
  );
}
