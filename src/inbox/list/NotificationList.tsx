import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { useEffect, type KeyboardEvent, type RefObject } from 'react';
import { t } from '../../i18n/t';
import type { Item } from '../flat';
import { GroupHeader, type GroupActions } from './GroupHeader';
import { Row } from './Row';
import { SkeletonRow } from './SkeletonRow';
import { type Scroll } from '../../components/pageScroll';
import { type ListFocus, useRequestedFocus, useVirtualList } from './useVirtualList';
import type { Selection } from '../useSelection';
import { SmallButton } from '../../components/SmallButton';

export interface ListProps {
  items: readonly Item[];
  threads: boolean;
  now: number;
  openKey: string | undefined;
  selection: Selection;
  focus: ListFocus;
  scroll: Scroll;
  containerRef: RefObject<HTMLDivElement>;
  disabled: boolean;
  countUnread: boolean;
  groupActions: GroupActions;
  onOpen: (item: Extract<Item, { type: 'row' }>) => void;
  onFold: (group: string, folded: boolean) => void;
  onMore: (group: string) => void;
  /** The visible items. */
  onSight: (items: readonly Item[]) => void;
  label: string;
}

/** A flat, virtualised tree grid: a header for each group, followed by its rows. */
export function NotificationList(props: ListProps) {
  const { items, focus, containerRef, scroll, onSight, label, selection } = props;
  const styles = useStyles2(getStyles);
  const { virtualizer, offset } = useVirtualList({ items, scroll, containerRef, keep: focus.key });
  const visible = virtualizer.getVirtualItems();
  const first = visible[0]?.index ?? 0;
  const last = visible.at(-1)?.index ?? -1;

  useEffect(() => onSight(items.slice(first, last + 1)), [items, first, last, onSight]);
  useRequestedFocus(focus, items, containerRef, (index) => virtualizer.scrollToIndex(index, { align: 'auto' }));

  const tabStop = items.some((item) => item.key === focus.key) ? focus.key : items[0]?.key;
  return (
    <div
      ref={containerRef}
      role="treegrid"
      aria-label={label}
      aria-multiselectable={selection.active || undefined}
      aria-rowcount={items.length}
      className={scroll === 'pane' ? styles.pane : styles.page}
    >
      <div role="presentation" className={styles.spacer} style={{ height: virtualizer.getTotalSize() }}>
        {visible.map(({ index, start }) => {
          const item = items[index];
          return (
            item && (
              <ListItem
                key={item.key}
                {...props}
                item={item}
                index={index}
                top={start - offset}
                tabIndex={item.key === tabStop ? 0 : -1}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

type ItemProps = ListProps & { item: Item; index: number; top: number; tabIndex: number };

function ListItem(props: ItemProps) {
  const { item, index, top, tabIndex, items, focus } = props;
  const styles = useStyles2(getStyles);
  const activate = () => {
    if (item.type === 'row') {
      props.onOpen(item);
    } else if (item.type === 'header') {
      props.onFold(item.group.value, !item.folded);
    } else if (item.type === 'more') {
      props.onMore(item.group.value);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target === event.currentTarget && handleKey(event, props, activate)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  const header = item.type === 'header';
  return (
    <div
      role="row"
      data-key={item.key}
      data-type={item.type}
      aria-rowindex={index + 1}
      aria-level={header ? 1 : 2}
      aria-expanded={header ? !item.folded : undefined}
      aria-selected={item.type === 'row' && props.selection.active ? props.selection.has(item.notification) : undefined}
      aria-current={item.type === 'row' && item.key === props.openKey ? 'true' : undefined}
      aria-busy={item.type === 'loading' || undefined}
      tabIndex={tabIndex}
      className={styles.item}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => {
        focus.setKey(item.key);
        if (item.type === 'row' && props.selection.active) {
          props.selection.toggle(item.notification, event.shiftKey);
        } else {
          activate();
        }
      }}
      onFocus={(event) => event.target === event.currentTarget && focus.setKey(item.key)}
      onKeyDown={onKeyDown}
    >
      <ItemContent {...props} alone={items.filter((each) => each.type === 'header').length === 1} />
    </div>
  );
}

function ItemContent({ item, index, alone, ...props }: ItemProps & { alone: boolean }) {
  const styles = useStyles2(getStyles);
  switch (item.type) {
    case 'header':
      return (
        <GroupHeader
          group={item.group}
          folded={item.folded}
          alone={alone}
          disabled={props.disabled}
          countUnread={props.countUnread}
          actions={props.groupActions}
        />
      );
    case 'row':
      return (
        <Row
          notification={item.notification}
          threads={props.threads}
          now={props.now}
          open={item.key === props.openKey}
          selected={props.selection.has(item.notification)}
          selecting={props.selection.active}
          onSelect={props.selection.toggle}
        />
      );
    case 'loading':
      return (
        <div role="gridcell" aria-label={t('inbox.list.loading-row', 'Loading')}>
          <SkeletonRow index={index} />
        </div>
      );
    case 'more':
      return (
        <div className={styles.more} role="gridcell">
          <SmallButton fill="text" icon="angle-down" tabIndex={-1}>
            {t('inbox.list.more', 'Show {{next, number}} more of {{left, number}}', {
              next: item.next,
              left: item.left,
            })}
          </SmallButton>
        </div>
      );
  }
}

/** Keyboard navigation of a tree grid (WAI-ARIA), for the focused row. */
function handleKey(
  event: KeyboardEvent,
  { item, index, items, focus, onFold }: ItemProps,
  activate: () => void
): boolean {
  const moveTo = (target: Item | undefined) => {
    if (target) {
      focus.moveTo(target.key);
    }
    return true;
  };
  const { value } = item.group;
  switch (event.key) {
    case 'Enter':
      activate();
      return true;
    case 'ArrowDown':
      return moveTo(items[index + 1]);
    case 'ArrowUp':
      return moveTo(items[index - 1]);
    case 'Home':
      return moveTo(items[0]);
    case 'End':
      return moveTo(items.at(-1));
    case 'ArrowLeft':
      if (item.type === 'header') {
        onFold(value, true);
        return true;
      }
      return moveTo(items.find((each) => each.type === 'header' && each.group.value === value));
    case 'ArrowRight':
      if (item.type === 'header') {
        onFold(value, false);
      }
      return true;
    default:
      return false;
  }
}

const getStyles = (theme: GrafanaTheme2) => ({
  pane: css({ height: '100%', overflowY: 'auto', overflowAnchor: 'none', paddingRight: theme.spacing(1) }),
  page: css({ overflowAnchor: 'none' }),
  spacer: css({ position: 'relative', width: '100%' }),
  item: css({
    position: 'absolute',
    top: 0,
    left: 0,
    right: 0,
    borderRadius: theme.shape.radius.default,
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}`, outlineOffset: -2 },
  }),
  more: css({ height: 44, display: 'flex', alignItems: 'center', paddingLeft: theme.spacing(8) }),
});
