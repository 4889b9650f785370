import { Button, EmptyState, Stack, Text } from '@grafana/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ChannelList, PlacedRoute, Route } from '@nodebell/contract/channel.ts';
import { useState } from 'react';
import { channelsQuery, setRoutes } from '../api/channels';
import { List } from '../components/List';
import { t } from '../i18n/t';
import { ownRoutes, placeOf } from './ownRoutes';
import { RouteEditor } from './RouteEditor';
import { RouteRow } from './RouteRow';
import { RouteTester } from './RouteTester';

/** The route that is edited, as it was; the list is read again meanwhile. */
interface Edited {
  route: Route;
  index: number;
}

const NEW: Edited = { route: { channels: [] }, index: -1 };

/** Routes in order: those of files first, which are read-only. And a tester. */
export function RoutesTab({ list }: { list: ChannelList }) {
  const { edited, setEdited, edit, own, place, save, store, order, remove } = useRoutes(list);
  const editor = edited && (
    <li key="edited">
      <RouteEditor
        route={edited.route}
        channels={list.channels}
        isGone={place < 0 && edited !== NEW}
        busy={save.isPending}
        error={save.error}
        onSave={(next) => store(place < 0 ? [...own, next] : own.with(place, next))}
        onCancel={() => setEdited(undefined)}
      />
    </li>
  );
  return (
    <Stack direction="column" gap={2}>
      <Introduction isEmpty={list.routes.length === 0 && edited === undefined} />
      <List divided>
        {/* One list, so that the editor keeps its state when its place changes. */}
        {[...list.routes, ...(place < 0 && editor ? [undefined] : [])].map((route) =>
          route === undefined || (route.file === undefined && route.index >= 0 && route.index === place) ? (
            editor
          ) : (
            <RouteRow
              key={`${route.file ?? 'page'} ${route.index < 0 ? route.channels.join() : route.index}`}
              route={route}
              channels={list.channels}
              last={own.length - 1}
              busy={order.isPending || edited !== undefined}
              onMove={(to) => order.mutate(own.toSpliced(route.index, 1).toSpliced(to, 0, own[route.index]!))}
              onEdit={() => edit({ route: own[route.index]!, index: route.index })}
              onDelete={remove}
            />
          )
        )}
      </List>
      {edited === undefined && (
        <div>
          <Button variant="secondary" icon="plus" onClick={() => edit(NEW)}>
            {t('channels.routes.add', 'Add route')}
          </Button>
        </div>
      )}
      <RouteTester channels={list.channels} />
    </Stack>
  );
}

function useRoutes(list: ChannelList) {
  const client = useQueryClient();
  const [edited, setEdited] = useState<Edited>();
  const own = ownRoutes(list);
  const mutationFn = (routes: Route[]) => setRoutes(routes, list.revision);
  const onSettled = () => client.invalidateQueries(channelsQuery);
  // The editor is closed before the list without its route is shown.
  const save = useMutation({ mutationFn, onSettled: () => void onSettled(), meta: { quiet: true } });
  const order = useMutation({
    mutationFn,
    onSettled,
    meta: { failure: t('channels.routes.not-saved', 'Could not save the routes') },
  });
  return {
    edited,
    setEdited,
    edit: (next: Edited) => {
      save.reset();
      setEdited(next);
    },
    own,
    /** Position of the edited route; -1: new. */
    place: edited === undefined ? -1 : placeOf(own, edited.route, edited.index),
    save,
    /** Saves the edited route. Another one may be edited when that has ended. */
    store: (routes: Route[]) =>
      save.mutate(routes, { onSuccess: () => setEdited((now) => (now === edited ? undefined : now)) }),
    order,
    /** It may have moved, or have been deleted, since the question. */
    remove: ({ file: _file, index, ...removed }: PlacedRoute) => {
      const at = placeOf(own, removed, index);
      return at < 0 ? onSettled() : order.mutate(own.toSpliced(at, 1));
    },
  };
}

function Introduction({ isEmpty }: { isEmpty: boolean }) {
  return (
    <>
      <Text element="p" color="secondary">
        {t(
          'channels.routes.text',
          'Routes are tried from top to bottom. The first that matches decides, unless the next ones are tried as well.'
        )}
      </Text>
      {isEmpty && (
        <EmptyState
          variant="not-found"
          hideImage
          message={t('channels.routes.empty', 'No routes yet: nothing is sent')}
        />
      )}
    </>
  );
}
