import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { heightOf, SPARK_HEIGHT, SPARK_WIDTH, sparkPath, type Scale, type SparkData } from './sparkPath';

interface Props {
  data: SparkData;
  scale: Scale;
  /** Drawn across it. */
  threshold?: number | readonly number[];
  /** Pixels. */
  height: number;
}

/** A decorative line, hidden from screen readers. Show its values as text beside it. */
export function Sparkline({ data, scale, threshold, height }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <svg
      className={styles.svg}
      viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
      preserveAspectRatio="none"
      height={height}
      aria-hidden
    >
      <path className={styles.line} d={sparkPath(data, scale)} />
      {[threshold ?? []].flat().map((value, index) => (
        <path key={index} className={styles.threshold} d={`M0 ${heightOf(value, scale)}H${SPARK_WIDTH}`} />
      ))}
    </svg>
  );
}

const getStyles = (theme: GrafanaTheme2) => {
  const stroke = { fill: 'none', vectorEffect: 'non-scaling-stroke' } as const;
  return {
    // Half of the stroke lies outside the box.
    svg: css({ display: 'block', width: '100%', overflow: 'visible' }),
    line: css({
      ...stroke,
      stroke: theme.colors.info.text,
      strokeWidth: 1.5,
      strokeLinejoin: 'round',
      strokeLinecap: 'round',
    }),
    threshold: css({ ...stroke, stroke: theme.colors.error.text, strokeWidth: 1, strokeDasharray: '4 3' }),
  };
};
