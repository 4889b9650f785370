import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2, useTheme2 } from '@grafana/ui';
import type { ChainNode } from '@nodebell/contract/chain.ts';
import type { Tone } from '../components/StateText';
import { progressWords, signOf } from './words';

interface Props {
  node: ChainNode;
  /** When it is not that of the state. */
  tone?: Tone;
}

/** How much of the chain a node has. Nothing where that is not known: an empty bar would say that it has nothing. */
export function ProgressBar({ node, tone = signOf(node).tone }: Props) {
  const styles = useStyles2(getStyles);
  const theme = useTheme2();
  const { ratio, title, name } = node;
  const full = `${title}, ${name}`;
  if (ratio === undefined) {
    return null;
  }
  const color = tone === 'secondary' ? theme.colors.text.secondary : theme.colors[tone].text;
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label={full}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(ratio * 1000) / 10}
      aria-valuetext={progressWords(node)}
    >
      <div className={styles.bar} style={{ width: `${ratio * 100}%`, backgroundColor: color }} />
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  track: css({
    height: 6,
    minWidth: 0,
    borderRadius: theme.shape.radius.pill,
    background: theme.colors.action.selected,
    overflow: 'hidden',
  }),
  bar: css({
    height: '100%',
    borderRadius: theme.shape.radius.pill,
    // In Windows' high contrast mode there are no backgrounds; the track then has an edge, and the figures stay.
    '@media (forced-colors: active)': { background: 'CanvasText !important' },
  }),
});
