import { css } from '@emotion/css';
import { Badge, ConfirmModal, IconButton, Stack, Text } from '@grafana/ui';
import type { ChannelStatus, PlacedRoute } from '@nodebell/contract/channel.ts';
import { channelsIn } from '@nodebell/contract/routeNames.ts';
import { useState } from 'react';
import { SecondaryText } from '../components/SecondaryText';
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
  onDelete: (route: PlacedRoute) => unknown;
}

export function RouteRow({ route, channels: known, ...actions }: RowProps) {
  const { file, index, channels } = route;
  const gone = channelsIn(route).filter((name) => !known.some((one) => one.name === name));
  return (
    <li>
      <Stack wrap alignItems="center">
        <div className={text}>
          <div>{routeInWords(route, ...leadsTo(route, known))}</div>
          <SecondaryText element="p">
            {[
              ...(channels.length === 0
                ? []
                : [t('channels.routes.to', 'to {{channels}}', { channels: conjunction(channels) })]),
              ...(route.continue ? [t('channels.routes.continues', 'then the next routes')] : []),
            ].join(' · ')}
          </SecondaryText>
          {gone.length > 0 && (
            <Text element="p" variant="bodySmall" color="warning">
              {t('channels.routes.gone', 'No such channel: {{channels}}', { channels: conjunction(gone) })}
            </Text>
          )}
        </div>
        <Stack wrap>
          {index < 0 && (
            <Badge
              color="darkgrey"
              text={t('channels.routes.default', 'Default')}
              tooltip={t('channels.routes.default-text', 'It applies until a route leads to this channel.')}
            />
          )}
          {file !== undefined && <Badge color="blue" icon="file-alt" text={file} />}
          {index >= 0 && file === undefined && <Actions route={route} {...actions} />}
        </Stack>
      </Stack>
    </li>
  );
}

function Actions({ route, last, busy, onMove, onEdit, onDelete }: Omit<RowProps, 'channels'>) {
  /** As it was: another route may take its place meanwhile. */
  const [asked, setAsked] = useState<PlacedRoute>();
  const { index } = route;
  const words = routeInWords(route);
  return (
    <Stack wrap>
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
        onClick={() => setAsked(route)}
      />
      <ConfirmModal
        isOpen={asked !== undefined}
        title={t('channels.routes.delete-title', 'Delete this route?')}
        body={asked && routeInWords(asked)}
        confirmText={t('channels.row.delete', 'Delete')}
        onConfirm={() => {
          setAsked(undefined);
          onDelete(asked!);
        }}
        onDismiss={() => setAsked(undefined)}
      />
    </Stack>
  );
}

const text = css({ flex: '1 1 240px', minWidth: 0, overflowWrap: 'anywhere' });
