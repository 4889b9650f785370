import { css } from '@emotion/css';
import { useQuery } from '@tanstack/react-query';
import type { ChainNode } from '@nodebell/contract/chain.ts';
import { explain } from '../api/queryClient';
import { t } from '../i18n/t';
import { Hidden } from '../components/Hidden';
import { Sparkline } from '../components/Sparkline';
import { scaleOf } from '../components/sparkPath';
import { useInSight } from '../components/layout';
import { chainHistoryQuery } from './queries';
import { behindMessage } from './messages';
import { SecondaryText } from '../components/SecondaryText';

const HEIGHT = 16;

/** Distance of a node from its target in the last 24 hours, with its limit. Loaded once it is scrolled into view. */
export function BehindHistory({ node: { dnpName, limits } }: { node: ChainNode }) {
  const [ref, seen] = useInSight<HTMLDivElement>();
  const { data, error } = useQuery({ ...chainHistoryQuery(dnpName), enabled: seen });
  const values = data?.samples.map(([, value]) => value);
  const message = values && behindMessage(values);
  return (
    <div ref={ref} className={styles.box} data-history title={error ? explain(error) : message}>
      {error ? (
        <SecondaryText>{t('chains.history.no-history', 'no history')}</SecondaryText>
      ) : data && values && values.length > 0 ? (
        // The scale starts at 0, so that a node that was never behind has its line at the bottom, not in the middle.
        <Sparkline
          data={data}
          scale={scaleOf(data.samples, [0, limits.behind])}
          threshold={limits.behind}
          height={HEIGHT}
        />
      ) : null}
      <Hidden>{error ? explain(error) : message}</Hidden>
    </div>
  );
}

const styles = {
  // The height is reserved, so that rows do not shift when the line is loaded.
  box: css({ minHeight: HEIGHT, minWidth: 0, paddingTop: 2, paddingBottom: 2 }),
};
