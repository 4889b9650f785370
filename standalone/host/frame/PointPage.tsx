import { css } from '@emotion/css';
import { type GrafanaTheme2, locationUtil } from '@grafana/data';
import { locationService } from '@grafana/runtime';
import { Button, Text, useStyles2 } from '@grafana/ui';
import { useMemo } from 'react';
import { useLocation } from 'react-router-dom-v5-compat';
import { usePluginComponents, usePluginLinks } from '../extensions.tsx';

export const POINT_PAGE = '/point/';

/** Contexts of Grafana's pages come from stores whose contents are frozen; the context itself is not. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

/**
 * One place of Grafana's own pages that plugins extend, and what they put there:
 * `/point/grafana/alerting/instance/action?context={"instance":{"labels":{}}}`
 */
export function PointPage() {
  const styles = useStyles2(getStyles);
  const { pathname, search } = useLocation();
  const point = decodeURIComponent(pathname.slice(POINT_PAGE.length));
  const context = useMemo(() => {
    const given = JSON.parse(new URLSearchParams(search).get('context') ?? '{}') as object;
    Object.values(given).forEach(frozen);
    return given;
  }, [search]);
  const { links } = usePluginLinks({ extensionPointId: point, context });
  const { components } = usePluginComponents({ extensionPointId: point });
  return (
    <div className={styles.page}>
      <Text element="h1" variant="h4">
        {point}
      </Text>
      {links.map(({ id, title, description, icon, path, onClick }) => (
        <Button
          key={id}
          variant="secondary"
          icon={icon ?? 'plug'}
          tooltip={description}
          onClick={() => (path ? locationService.push(locationUtil.stripBaseFromUrl(path)) : onClick?.())}
        >
          {title}
        </Button>
      ))}
      {components.map((Component) => (
        <div key={Component.meta.id} className={styles.card}>
          <Component />
        </div>
      ))}
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
