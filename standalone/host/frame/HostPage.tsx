import { css } from '@emotion/css';
import { type GrafanaTheme2, PageLayoutType } from '@grafana/data';
import type { PluginPageProps } from '@grafana/runtime';
import { useStyles2 } from '@grafana/ui';
import { type ReactNode, useEffect } from 'react';
import { useTrail } from './navigation.ts';
import { openPage } from './pageNav.ts';

/** Grafana's frame of a plugin's page: title, sub-title and actions above, its paddings around. */
export function HostPage({
  children,
  actions,
  background = 'primary',
  info,
  layout,
  pageNav,
  renderTitle,
  subTitle,
}: PluginPageProps) {
  const styles = useStyles2(getStyles);
  const current = useTrail().at(-1);
  const title = pageNav?.text ?? current?.text ?? '';
  useEffect(() => {
    openPage.next(pageNav);
    return () => openPage.next(undefined);
  }, [pageNav]);
  useEffect(() => {
    document.title = `${title} - Nodebell`;
  }, [title]);

  if (layout === PageLayoutType.Custom) {
    return <div className={styles.page}>{children}</div>;
  }
  return (
    <div className={background === 'canvas' ? styles.canvas : styles.page}>
      <div className={styles.inner}>
        {layout !== PageLayoutType.Canvas && (
          <Header info={info} actions={actions} subtitle={subTitle ?? pageNav?.subTitle ?? current?.subTitle}>
            {renderTitle ? renderTitle(title) : <h1>{title}</h1>}
          </Header>
        )}
        <div className={styles.content}>{children}</div>
      </div>
    </div>
  );
}

type HeaderProps = Pick<PluginPageProps, 'info' | 'actions'> & { subtitle: ReactNode; children: ReactNode };

function Header({ info, actions, subtitle, children }: HeaderProps) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.header}>
      <div className={styles.titleRow}>
        <div className={styles.title}>{children}</div>
        {info?.map(({ label, value }) => (
          <div key={label}>
            <div className={styles.muted}>{label}</div>
            {value}
          </div>
        ))}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {subtitle && <div className={styles.muted}>{subtitle}</div>}
    </div>
  );
}

function getStyles(theme: GrafanaTheme2) {
  const page = {
    label: 'page',
    display: 'flex',
    flexDirection: 'column',
    flex: '1 0 auto',
    minWidth: 0,
    background: theme.colors.background.primary,
  } as const;
  return {
    page: css(page),
    canvas: css({ ...page, background: theme.colors.background.canvas }),
    inner: css({
      label: 'page-inner',
      display: 'flex',
      flexDirection: 'column',
      flex: '1 0 auto',
      minWidth: 0,
      padding: theme.spacing(2),
      [theme.breakpoints.up('md')]: { padding: theme.spacing(3, 4) },
    }),
    header: css({ display: 'flex', flexDirection: 'column', marginBottom: theme.spacing(2) }),
    titleRow: css({
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      gap: theme.spacing(1, 3),
      minHeight: theme.spacing(4),
    }),
    title: css({ flex: '1 1 auto', minWidth: 0, h1: { margin: 0 } }),
    actions: css({ display: 'flex', gap: theme.spacing(1), alignItems: 'center' }),
    muted: css({ color: theme.colors.text.secondary }),
    content: css({ display: 'flex', flexDirection: 'column', flex: '1 0 auto', minWidth: 0 }),
  };
}
