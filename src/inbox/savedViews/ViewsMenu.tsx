import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, Dropdown, Menu, useStyles2 } from '@grafana/ui';
import { lazy, Suspense, useRef, useState } from 'react';
import { afterMenu } from '../../components/afterMenu';
import { t } from '../../i18n/t';
import type { SetView } from '../useInbox';
import type { View } from '../view';
import { isShown, queryOf, viewOf } from './savedViews';
import { useSavedViews } from './useSavedViews';
import type { ViewsDialog } from './ViewsDialogs';

const ViewsDialogs = lazy(() => import(/* webpackChunkName: "dialogs" */ './ViewsDialogs'));

interface Props {
  view: View;
  setView: SetView;
  narrow: boolean;
}

/** Applies a saved view, and opens the dialogs that save and manage them. */
export function ViewsMenu({ view, setView, narrow }: Props) {
  const [dialog, setDialog] = useState<ViewsDialog>();
  const boxRef = useRef<HTMLDivElement>(null);
  const close = () => {
    setDialog(undefined);
    // The dialog would give the focus back to its own field, which had it when the dialog began to watch it.
    requestAnimationFrame(() => boxRef.current?.querySelector('button')?.focus());
  };
  const label = t('inbox.views.title', 'Views');
  return (
    <div ref={boxRef}>
      <Dropdown
        placement="bottom-end"
        overlay={() => <Views {...{ view, setView, onDialog: (next) => afterMenu(() => setDialog(next)) }} />}
      >
        <Button variant="secondary" icon="bookmark" aria-label={label}>
          {!narrow && label}
        </Button>
      </Dropdown>
      {dialog && (
        <Suspense fallback={null}>
          <ViewsDialogs dialog={dialog} query={queryOf(view)} onDialog={setDialog} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}

type ViewsProps = Pick<Props, 'view' | 'setView'> & { onDialog: (dialog: ViewsDialog) => void };

function Views({ view, setView, onDialog }: ViewsProps) {
  const styles = useStyles2(getStyles);
  const { data, error } = useSavedViews();
  const failed = t('inbox.views.failed', 'Could not load views');
  return (
    <Menu ariaLabel={t('inbox.views.title', 'Views')}>
      <div className={styles.views}>
        {!data && !error && <Menu.Item label={t('inbox.views.loading', 'Loading…')} disabled />}
        {error && <Menu.Item label={failed} icon="exclamation-triangle" description={error.message} disabled />}
        {data?.length === 0 && <Menu.Item label={t('inbox.views.none', 'No saved views')} disabled />}
        {data?.map((saved) => (
          <Menu.Item
            key={saved.name}
            label={saved.name}
            role="menuitemradio"
            ariaChecked={isShown(saved, view)}
            icon={isShown(saved, view) ? 'check' : 'bookmark'}
            description={saved.isDefault ? t('inbox.views.default', 'Default') : undefined}
            onClick={() => setView(viewOf(saved), { push: true })}
          />
        ))}
      </div>
      <Menu.Divider />
      <Menu.Item label={t('inbox.views.save', 'Save view…')} icon="save" onClick={() => onDialog({ kind: 'save' })} />
      <Menu.Item
        label={t('inbox.views.manage', 'Manage views…')}
        icon="cog"
        disabled={!data?.length}
        onClick={() => onDialog({ kind: 'manage' })}
      />
    </Menu>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  views: css({ maxWidth: `min(${theme.spacing(45)}, 90vw)`, maxHeight: '50vh', overflowY: 'auto' }),
});
