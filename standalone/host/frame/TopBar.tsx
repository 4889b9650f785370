import { css, cx } from '@emotion/css';
import type { GrafanaTheme2, NavModelItem } from '@grafana/data';
import { Icon, IconButton, Link, useStyles2 } from '@grafana/ui';
import { Fragment, useEffect, useState } from 'react';
import { Commands } from './Commands.tsx';
import { crumbsOf, useTrail } from './navigation.ts';
import { openPage } from './pageNav.ts';
import { HEADER_HEIGHT, MENU_WIDTH } from './sizes.ts';
import { UserMenu } from './UserMenu.tsx';

function usePageNav(): NavModelItem | undefined {
  const [page, setPage] = useState(openPage.value);
  useEffect(() => {
    const subscription = openPage.subscribe(setPage);
    return () => subscription.unsubscribe();
  }, []);
  return page;
}

export function TopBar({ docked, onOpenMenu }: { docked: boolean; onOpenMenu: () => void }) {
  const styles = useStyles2(getStyles);
  return (
    <header className={cx(styles.bar, docked && styles.besideMenu)}>
      {!docked && <IconButton name="bars" size="lg" aria-label="Open menu" onClick={onOpenMenu} />}
      <Breadcrumbs />
      <Commands />
      <UserMenu />
    </header>
  );
}

function Breadcrumbs() {
  const styles = useStyles2(getStyles);
  const crumbs: NavModelItem[] = [{ text: 'Home', url: '/' }, ...crumbsOf(useTrail(), usePageNav())];
  return (
    <nav className={styles.breadcrumbs} aria-label="Breadcrumbs">
      <ol>
        {crumbs.map((crumb, index) => (
          <Fragment key={crumb.url ?? crumb.text}>
            {index > 0 && (
              <li aria-hidden className={cx(index < crumbs.length - 1 && styles.early)}>
                <Icon name="angle-right" />
              </li>
            )}
            <li className={cx(index < crumbs.length - 2 && styles.early)}>
              {index < crumbs.length - 1 ? (
                <Link className={styles.parent} href={crumb.url}>
                  {crumb.text}
                </Link>
              ) : (
                <span aria-current="page">{crumb.text}</span>
              )}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  bar: css({
    position: 'fixed',
    inset: '0 0 auto 0',
    zIndex: theme.zIndex.navbarFixed,
    height: HEADER_HEIGHT,
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    padding: theme.spacing(0, 2),
    background: theme.colors.background.primary,
    borderBottom: `1px solid ${theme.colors.border.weak}`,
  }),
  besideMenu: css({ left: MENU_WIDTH }),
  breadcrumbs: css({
    flexGrow: 1,
    minWidth: 0,
    ol: { display: 'flex', alignItems: 'center', gap: theme.spacing(0.5), listStyle: 'none' },
    li: { whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' },
  }),
  // On phones, only the current page and its parent fit.
  early: css({ [theme.breakpoints.down('sm')]: { display: 'none' } }),
  parent: css({ color: theme.colors.text.secondary, '&:hover': { textDecoration: 'underline' } }),
});
