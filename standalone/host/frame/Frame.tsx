import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2, useTheme2 } from '@grafana/ui';
import { type ReactNode, useEffect, useState } from 'react';
import { Menu } from './Menu.tsx';
import { HEADER_HEIGHT, MENU_WIDTH } from './sizes.ts';
import { TopBar } from './TopBar.tsx';

function useIsWide(): boolean {
  const query = `(min-width: ${useTheme2().breakpoints.values.xl}px)`;
  const [wide, setWide] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const media = window.matchMedia(query);
    const update = () => setWide(media.matches);
    media.addEventListener('change', update);
    return () => media.removeEventListener('change', update);
  }, [query]);
  return wide;
}

/** Imitates Grafana's frame: menu, top bar and the page area. The document scrolls. */
export function Frame({ children }: { children: ReactNode }) {
  const styles = useStyles2(getStyles);
  const wide = useIsWide();
  const [undocked, setUndocked] = useState(false);
  const [open, setOpen] = useState(false);
  const docked = wide && !undocked;
  const openMenu = () => (wide ? setUndocked(false) : setOpen(true));
  const closeMenu = () => (docked ? setUndocked(true) : setOpen(false));
  return (
    <>
      {(docked || open) && <Menu docked={docked} onClose={closeMenu} />}
      <TopBar docked={docked} onOpenMenu={openMenu} />
      <main id="pageContent" className={cx(styles.main, docked && styles.besideMenu)}>
        {children}
      </main>
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  main: css({
    display: 'flex',
    flexDirection: 'column',
    minHeight: '100vh',
    paddingTop: HEADER_HEIGHT,
    color: theme.colors.text.primary,
    background: theme.colors.background.primary,
  }),
  besideMenu: css({ paddingLeft: MENU_WIDTH }),
});
