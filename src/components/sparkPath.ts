/** The line of a sparkline. Pure. */

export interface SparkData {
  /** ISO 8601. */
  from: string;
  to: string;
  stepSeconds: number;
  /** Unix seconds and value, oldest first. */
  samples: ReadonlyArray<readonly [number, number]>;
}

/** The SVG view box, independent of the size on the screen. */
export const SPARK_WIDTH = 1000;
export const SPARK_HEIGHT = 100;

export interface Scale {
  min: number;
  max: number;
}

/** The y coordinate of a value, clamped to the scale; the middle when the scale has no extent. */
export function heightOf(value: number, { min, max }: Scale): number {
  const share = max > min ? (value - min) / (max - min) : 0.5;
  return round(SPARK_HEIGHT * (1 - Math.min(1, Math.max(0, share))));
}

/** An SVG path with gaps where values are missing. */
export function sparkPath({ from, to, stepSeconds, samples }: SparkData, scale: Scale): string {
  const start = Date.parse(from) / 1000;
  const length = Date.parse(to) / 1000 - start;
  const parts: string[] = [];
  let before: number | undefined;
  for (const [time, value] of samples) {
    const x = round((SPARK_WIDTH * (time - start)) / length);
    const joins = before !== undefined && time - before < 1.5 * stepSeconds;
    // A line of no length is a dot, so that a single value is seen.
    parts.push(joins ? `L${x} ${heightOf(value, scale)}` : `M${x} ${heightOf(value, scale)}h0`);
    before = time;
  }
  return parts.join('');
}

/** The minimum and maximum of the samples and of further values. */
export function scaleOf(samples: SparkData['samples'], also: readonly number[]): Scale {
  const values = [...samples.map(([, value]) => value), ...also];
  return { min: Math.min(...values), max: Math.max(...values) };
}

const round = (value: number): number => Math.round(value * 10) / 10;
