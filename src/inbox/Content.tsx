import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, Drawer, Icon, Stack, Text, useStyles2 } from '@grafana/ui';
import { useRef, type ReactNode, useLayoutEffect, useState, type RefObject } from 'react';
import { t } from '../i18n/t';
import { type Shape, TOP_BAR_PX } from '../components/layout';
import { topInPage } from '../components/pageScroll';
import { SecondaryText } from '../components/SecondaryText';

interface Props {
  shape: Shape;
  list: ReactNode;
  /** The list is empty and shows a message. */
  empty: boolean;
  /** Undefined while no notification is selected. */
  detail: ReactNode | undefined;
  /** The number of pending arrivals. */
  waiting: number;
  /** The rows on the screen still belong to the previous view. */
  pending: boolean;
  onShowNew: () => void;
  onClose: () => void;
}

/** The list and the detail: beside each other, one over the other, or one instead of the other. */
export function Content({ shape, list, empty, detail, waiting, pending, onShowNew, onClose }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  const split = shape === 'split' && !(empty && !detail);
  const height = usePaneHeight(ref, split);
  const styles = useStyles2(getStyles);
  return (
    <div ref={ref} className={split ? styles.split : styles.single} style={{ height }}>
      <div className={styles.list} aria-busy={pending} data-pending={pending}>
        {waiting > 0 && (
          <div className={styles.pill}>
            <Button size="sm" icon="arrow-up" onClick={onShowNew}>
              {t('inbox.live.waiting', '', {
                count: waiting,
                defaultValue_one: '{{count, number}} new',
                defaultValue_other: '{{count, number}} new',
              })}
            </Button>
          </div>
        )}
        {list}
      </div>
      {split && (
        <div className={styles.detail} tabIndex={-1}>
          {detail ?? <NothingChosen />}
        </div>
      )}
      {shape === 'drawer' && detail && (
        <Drawer title={t('inbox.detail.drawer', 'Notification')} size="md" onClose={onClose}>
          {detail}
        </Drawer>
      )}
    </div>
  );
}

function NothingChosen() {
  return (
    <Stack direction="column" alignItems="center" justifyContent="center" height="100%" minHeight="240px">
      <Text color="secondary">
        <Icon name="envelope" size="xxl" />
      </Text>
      <Text color="secondary">{t('inbox.detail.choose', 'Select a notification to view its details.')}</Text>
      <SecondaryText>
        {t('inbox.detail.keys', 'Press j or k to move, Enter to open, ? for all shortcuts.')}
      </SecondaryText>
    </Stack>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  split: css({
    display: 'grid',
    gridTemplateColumns: '444px minmax(0, 1fr)',
    borderTop: `1px solid ${theme.colors.border.weak}`,
    '& > :first-child': { minHeight: 0, borderRight: `1px solid ${theme.colors.border.weak}` },
  }),
  single: css({ minHeight: 320 }),
  list: css({ position: 'relative', minWidth: 0, '&[data-pending=true]': { opacity: 0.6 } }),
  pill: css({
    position: 'sticky',
    top: TOP_BAR_PX + 8,
    // Below the selection bar.
    zIndex: theme.zIndex.navbarFixed - 2,
    height: 0,
    display: 'flex',
    justifyContent: 'flex-end',
    paddingRight: theme.spacing(7),
    '& > button': { position: 'relative', top: 6, borderRadius: theme.shape.radius.pill, boxShadow: theme.shadows.z2 },
  }),
  detail: css({ minWidth: 0, overflowY: 'auto', padding: theme.spacing(2, 0, 2, 3) }),
});

const LEAST = 420;
/** Padding of the page below its content, in pixels. */
const BELOW = 24;

/** The height available below the top of an element, so that list and detail scroll independently. */
function usePaneHeight(ref: RefObject<HTMLElement>, active: boolean): number | undefined {
  const [height, setHeight] = useState<number>();
  useLayoutEffect(() => {
    if (!active) {
      return undefined;
    }
    const update = () => {
      const top = ref.current ? topInPage(ref.current) : 0;
      setHeight(Math.max(LEAST, Math.floor(window.innerHeight - top - BELOW)));
    };
    update();
    // Banners and filters above change the position.
    const observer = new ResizeObserver(update);
    observer.observe(document.body);
    if (ref.current?.parentElement) {
      observer.observe(ref.current.parentElement);
    }
    window.addEventListener('resize', update);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', update);
    };
  }, [ref, active]);
  return active ? height : undefined;
}
