import { css } from '@emotion/css';
import { type GrafanaTheme2, locationUtil, PluginContextProvider } from '@grafana/data';
import { locationService } from '@grafana/runtime';
import { Button, Text, useStyles2 } from '@grafana/ui';
import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router-dom-v5-compat';
import { bootData } from '../bootData.ts';
import { componentsAt, extending, linksAt } from '../extensions.ts';
import { useOpenModal } from './useOpenModal.tsx';

export const POINT_PAGE = '/point/';

/**
 * One place of Grafana's own pages that plugins extend, and what this one puts there:
 * `/point/grafana/alerting/instance/action?context={"instance":{"labels":{}}}`
 */
export function PointPage() {
  const styles = useStyles2(getStyles);
  const { pathname, search } = useLocation();
  const point = decodeURIComponent(pathname.slice(POINT_PAGE.length));
  const [plugin, setPlugin] = useState(extending.value);
  useEffect(() => {
    const subscription = extending.subscribe(setPlugin);
    return () => subscription.unsubscribe();
  }, []);
  const openModal = useOpenModal();
  const links = useMemo(() => {
    const context = JSON.parse(new URLSearchParams(search).get('context') ?? '{}') as object;
    return plugin ? linksAt(plugin, point, context) : [];
  }, [plugin, point, search]);
  return (
    <div className={styles.page}>
      <Text element="h1" variant="h4">
        {point}
      </Text>
      {links.map(({ title, description, icon, path, click }) => (
        <Button
          key={title}
          variant="secondary"
          icon={icon ?? 'plug'}
          tooltip={description}
          onClick={() => (path ? locationService.push(locationUtil.stripBaseFromUrl(path)) : click?.(openModal))}
        >
          {title}
        </Button>
      ))}
      <PluginContextProvider meta={bootData.nodebell.app}>
        {(plugin ? componentsAt(plugin, point) : []).map(({ title, component: Component }) => (
          <div key={title} className={styles.card}>
            <Component />
          </div>
        ))}
      </PluginContextProvider>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  page: css({
    ...{ display: 'flex', flexDirection: 'column', alignItems: 'flex-start' },
    ...{ gap: theme.spacing(2), padding: theme.spacing(2) },
  }),
  // Like the cards on the start page of Grafana's alerting.
  card: css({
    ...{ padding: theme.spacing(2), width: 'min(460px, 100%)' },
    background: theme.colors.background.secondary,
  }),
});
