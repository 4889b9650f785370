import { NotificationList, type ListProps } from './list/NotificationList';
import { SkeletonList } from './list/SkeletonRow';
import { FirstRun, NoMatch, NothingHere } from './states';
import type { SetView } from './useView';
import { clearFilters, hasFilters, type View } from './view';

interface Props extends Omit<ListProps, 'countUnread'> {
  view: View;
  setView: SetView;
  bridgeUrl: string;
  loading: boolean;
  /** Nothing could be loaded; the error is shown above. */
  failed: boolean;
  /** No notification has been received yet. */
  firstRun: boolean;
}

/** The list, or its empty state. */
export function ListOrState({ view, setView, bridgeUrl, loading, failed, firstRun, ...list }: Props) {
  if (failed) {
    return null;
  }
  if (loading) {
    return <SkeletonList />;
  }
  if (list.items.length > 0) {
    return <NotificationList {...list} countUnread={view.tab !== 'errors'} />;
  }
  if (firstRun) {
    return <FirstRun bridgeUrl={bridgeUrl} />;
  }
  return hasFilters(view) ? <NoMatch onClear={() => setView(clearFilters(view))} /> : <NothingHere tab={view.tab} />;
}
