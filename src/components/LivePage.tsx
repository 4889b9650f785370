import { PluginPage, type PluginPageProps } from '@grafana/runtime';
import type { BridgeError } from '../api/errors';
import { LiveBadge } from './LiveBadge';
import { Trouble } from './Trouble';

interface LivePageProps extends Omit<PluginPageProps, 'info' | 'layout'> {
  bridgeUrl: string;
  /** Why the last question was not answered; null when it was, or when the page tells of it itself. */
  error: BridgeError | null;
  /** When what is shown was loaded, UTC milliseconds; undefined when nothing was. */
  loadedAt: number | undefined;
  live: { cut: boolean; nextTry: number | undefined; retry: () => void };
}

/** A page that the bridge keeps up to date: says when it cannot, why nothing new comes, and offers another try. */
export function LivePage({ bridgeUrl, error, loadedAt, live, actions, children, ...page }: LivePageProps) {
  return (
    <PluginPage
      {...page}
      actions={
        <>
          <LiveBadge cut={live.cut && !error} />
          {actions}
        </>
      }
    >
      {error && (
        <Trouble error={error} bridgeUrl={bridgeUrl} loadedAt={loadedAt} nextTry={live.nextTry} onRetry={live.retry} />
      )}
      {children}
    </PluginPage>
  );
}
