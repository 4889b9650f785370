import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2, useTheme2 } from '@grafana/ui';
import type { ChainNode } from '@nodebell/contract/chain.ts';
import type { Tone } from '../components/StateText';
import { progressLabel, signOf } from './messages';

interface Props {
  node: ChainNode;
  /** Overrides the tone of the node's state. */
  tone?: Tone;
}

/** Share of the chain that a node has synced. Not rendered while unknown: an empty bar would mean 0 %. */
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
      aria-valuetext={progressLabel(node)}
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
    // Windows' high contrast mode drops background colors.
    '@media (forced-colors: active)': { background: 'CanvasText !important' },
  }),
});
