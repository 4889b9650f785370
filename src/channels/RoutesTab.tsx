import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, EmptyState, useStyles2 } from '@grafana/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ChannelList, Route } from '@nodebell/contract/channel.ts';
import { useState } from 'react';
import { channelsQuery, setRoutes } from '../api/channels';
import { t } from '../i18n/t';
import { ownRoutes } from './ownRoutes';
import { RouteEditor } from './RouteEditor';
import { RouteRow } from './RouteRow';
import { RouteTester } from './RouteTester';

/** Routes in order: those of files first, which are read-only. And a tester. */
export function RoutesTab({ list }: { list: ChannelList }) {
  const styles = useStyles2(getStyles);
  const client = useQueryClient();
  /** Which is edited, from 0; the number of routes: a new one. */
  const [edited, setEdited] = useState<number>();
  const own = ownRoutes(list);
  const save = useMutation({
    mutationFn: (routes: Route[]) => setRoutes(routes, list.revision),
    meta: { failure: t('channels.routes.not-saved', 'Could not save the routes') },
    onSuccess: () => setEdited(undefined),
    onSettled: () => client.invalidateQueries(channelsQuery),
  });
  const names = list.channels.map(({ name }) => name);
  const editor = (index: number, route: Route) => (
    <RouteEditor
      route={route}
      names={names}
      busy={save.isPending}
      onSave={(next) => save.mutate(own.toSpliced(index, 1, next))}
      onCancel={() => setEdited(undefined)}
    />
  );
  return (
    <div className={styles.tab}>
      <Introduction isEmpty={list.routes.length === 0 && edited === undefined} />
      <ol className={styles.list}>
        {list.routes.map((route) =>
          route.file === undefined && route.index === edited ? (
            <li key={`page ${route.index}`}>{editor(route.index, own[route.index]!)}</li>
          ) : (
            <RouteRow
              key={`${route.file ?? 'page'} ${route.index < 0 ? route.channels.join() : route.index}`}
              route={route}
              names={names}
              last={own.length - 1}
              busy={save.isPending || edited !== undefined}
              onMove={(to) => save.mutate(own.toSpliced(route.index, 1).toSpliced(to, 0, own[route.index]!))}
              onEdit={() => setEdited(route.index)}
              onDelete={() => save.mutate(own.toSpliced(route.index, 1))}
            />
          )
        )}
        {edited === own.length && <li>{editor(own.length, { channels: [] })}</li>}
      </ol>
      {edited === undefined && (
        <Button className={styles.add} variant="secondary" icon="plus" onClick={() => setEdited(own.length)}>
          {t('channels.routes.add', 'Add route')}
        </Button>
      )}
      <RouteTester />
    </div>
  );
}

function Introduction({ isEmpty }: { isEmpty: boolean }) {
  const styles = useStyles2(getStyles);
  return (
    <>
      <p className={styles.text}>
        {t(
          'channels.routes.text',
          'Routes are tried from top to bottom. The first that matches decides, unless the next ones are tried as well.'
        )}
      </p>
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

const getStyles = (theme: GrafanaTheme2) => ({
  tab: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2) }),
  text: css({ color: theme.colors.text.secondary, margin: 0 }),
  list: css({ listStyle: 'none', margin: 0, padding: 0 }),
  add: css({ alignSelf: 'flex-start' }),
});
