import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Badge, ConfirmModal, IconButton, useStyles2 } from '@grafana/ui';
import type { ChannelStatus, PlacedRoute } from '@nodebell/contract/channel.ts';
import { useState } from 'react';
import { t } from '../i18n/t';
import { conjunction, leadsTo, routeInWords } from './routeInWords';

interface RowProps {
  route: PlacedRoute;
  channels: readonly ChannelStatus[];
  /** Index of the last route of the page. */
  last: number;
  busy: boolean;
  onMove: (to: number) => void;
  onEdit: () => void;
  onDelete: () => void;
}

export function RouteRow({ route, channels: known, ...actions }: RowProps) {
  const styles = useStyles2(getStyles);
  const { file, index, channels } = route;
  const gone = channels.filter((name) => !known.some((one) => one.name === name));
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <div>{routeInWords(route, ...leadsTo(route, known))}</div>
        <div className={styles.facts}>
          {t('channels.routes.to', 'to {{channels}}', { channels: conjunction(channels) })}
          {route.continue && ` · ${t('channels.routes.continues', 'then the next routes')}`}
        </div>
        {gone.length > 0 && (
          <div className={styles.gone}>
            {t('channels.routes.gone', 'No such channel: {{channels}}', { channels: conjunction(gone) })}
          </div>
        )}
      </div>
      <span className={styles.actions}>
        {index < 0 && (
          <Badge
            color="darkgrey"
            text={t('channels.routes.default', 'Default')}
            tooltip={t('channels.routes.default-text', 'It applies until a route leads to this channel.')}
          />
        )}
        {file !== undefined && <Badge color="blue" icon="file-alt" text={file} />}
        {index >= 0 && file === undefined && <Actions route={route} {...actions} />}
      </span>
    </li>
  );
}

function Actions({ route, last, busy, onMove, onEdit, onDelete }: Omit<RowProps, 'channels'>) {
  const styles = useStyles2(getStyles);
  const [asking, setAsking] = useState(false);
  const { index } = route;
  const words = routeInWords(route);
  return (
    <div className={styles.actions}>
      <IconButton
        name="arrow-up"
        tooltip={t('channels.routes.up', 'Move up: {{words}}', { words })}
        disabled={busy || index === 0}
        onClick={() => onMove(index - 1)}
      />
      <IconButton
        name="arrow-down"
        tooltip={t('channels.routes.down', 'Move down: {{words}}', { words })}
        disabled={busy || index === last}
        onClick={() => onMove(index + 1)}
      />
      <IconButton
        name="pen"
        tooltip={t('channels.routes.edit', 'Edit: {{words}}', { words })}
        disabled={busy}
        onClick={onEdit}
      />
      <IconButton
        name="trash-alt"
        tooltip={t('channels.routes.delete', 'Delete: {{words}}', { words })}
        disabled={busy}
        onClick={() => setAsking(true)}
      />
      <ConfirmModal
        isOpen={asking}
        title={t('channels.routes.delete-title', 'Delete this route?')}
        body={words}
        confirmText={t('channels.row.delete', 'Delete')}
        onConfirm={() => {
          setAsking(false);
          onDelete();
        }}
        onDismiss={() => setAsking(false)}
      />
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  row: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(1),
    padding: theme.spacing(1, 0),
    borderBottom: `1px solid ${theme.colors.border.weak}`,
  }),
  words: css({ flex: '1 1 240px', minWidth: 0, overflowWrap: 'anywhere' }),
  facts: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize }),
  gone: css({ color: theme.colors.warning.text, fontSize: theme.typography.bodySmall.fontSize }),
  actions: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1) }),
});
