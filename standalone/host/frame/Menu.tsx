import { css, cx } from '@emotion/css';
import type { GrafanaTheme2, NavModelItem } from '@grafana/data';
import { Icon, IconButton, Link, useStyles2 } from '@grafana/ui';
import { bootData } from '../bootData.ts';
import { useTrail } from './navigation.ts';
import { HEADER_HEIGHT, MENU_WIDTH } from './sizes.ts';

interface Props {
  docked: boolean;
  onClose: () => void;
}

export function Menu({ docked, onClose }: Props) {
  const styles = useStyles2(getStyles);
  const follow = docked ? undefined : onClose;
  return (
    <>
      {!docked && <div className={styles.backdrop} onClick={onClose} aria-hidden />}
      <nav className={cx(styles.menu, !docked && styles.floating)} aria-label="Main menu">
        <div className={styles.brand}>
          <img src={bootData.nodebell.app.info.logos.small} alt="" width={20} height={20} />
          <span className={styles.brandName}>Nodebell</span>
          <IconButton
            name={docked ? 'web-section-alt' : 'times'}
            size="lg"
            aria-label={docked ? 'Undock menu' : 'Close menu'}
            onClick={onClose}
          />
        </div>
        <ul className={styles.list}>
          {bootData.navTree.map((item) => (
            <Entry key={item.id} item={item} onFollow={follow} />
          ))}
        </ul>
      </nav>
    </>
  );
}

function Entry({
  item,
  level = 0,
  onFollow,
}: {
  item: NavModelItem;
  level?: number;
  onFollow: (() => void) | undefined;
}) {
  const styles = useStyles2(getStyles);
  const current = useTrail().at(-1) === item;
  return (
    <li>
      <Link
        href={item.url}
        className={cx(styles.entry, level > 0 && styles.child, current && styles.current)}
        aria-current={current ? 'page' : undefined}
        onClick={onFollow}
      >
        {item.icon && <Icon name={item.icon} />}
        {item.img && <img src={item.img} alt="" width={16} height={16} />}
        {item.text}
      </Link>
      {item.children && (
        <ul className={styles.children}>
          {item.children.map((child) => (
            <Entry key={child.id} item={child} level={level + 1} onFollow={onFollow} />
          ))}
        </ul>
      )}
    </li>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  backdrop: css({
    position: 'fixed',
    inset: 0,
    zIndex: theme.zIndex.modalBackdrop,
    background: theme.components.overlay.background,
  }),
  menu: css({
    position: 'fixed',
    inset: '0 auto 0 0',
    width: MENU_WIDTH,
    zIndex: theme.zIndex.sidemenu,
    overflowY: 'auto',
    background: theme.colors.background.canvas,
    borderRight: `1px solid ${theme.colors.border.weak}`,
  }),
  floating: css({ zIndex: theme.zIndex.modal, width: `min(${MENU_WIDTH}px, 100vw)`, boxShadow: theme.shadows.z3 }),
  brand: css({
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    height: HEADER_HEIGHT,
    padding: theme.spacing(0, 1, 0, 2),
  }),
  brandName: css({ flexGrow: 1 }),
  list: css({ listStyle: 'none', padding: theme.spacing(1) }),
  children: css({ listStyle: 'none' }),
  entry: css({
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1.5),
    height: theme.spacing(4),
    padding: theme.spacing(0, 1),
    marginBottom: theme.spacing(0.25),
    borderRadius: theme.shape.radius.default,
    color: theme.colors.text.secondary,
    '&:hover': { color: theme.colors.text.primary, background: theme.colors.action.hover },
  }),
  child: css({ marginLeft: theme.spacing(3.5) }),
  current: css({
    color: theme.colors.text.primary,
    background: theme.colors.action.selected,
    '&::before': {
      content: '""',
      position: 'absolute',
      inset: '4px auto 4px 0',
      width: theme.spacing(0.5),
      borderRadius: theme.shape.radius.default,
      background: theme.colors.gradients.brandVertical,
    },
  }),
});
