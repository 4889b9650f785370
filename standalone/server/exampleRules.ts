/** Rules that `npm start` shows on the tab "Grafana rules", where there is no Grafana to have any. They are not evaluated. */
import type { SeededRule } from './grafanaRules.ts';

/** Two values for each hour of a week. */
const POINTS = 336;

/** A week with a day's rhythm, and some hours of another value. */
const week = (mean: number, swing: number, peaks: readonly [hour: number, hours: number, value: number][]): number[] =>
  Array.from({ length: POINTS }, (_, index) => {
    const hour = index / 2;
    const peak = peaks.find(([from, hours]) => hour >= from && hour < from + hours);
    // Small and without a pattern, but the same each time.
    const noise = swing * 0.2 * Math.sin(index * 12.9898);
    return Math.round(10 * ((peak?.[2] ?? mean + swing * Math.sin((hour * Math.PI) / 12)) + noise)) / 10;
  });

export const EXAMPLE_RULES: readonly SeededRule[] = [
  {
    uid: 'example-cpu',
    title: 'CPU usage is high (%)',
    folder: 'Hardware',
    group: 'host',
    params: [85],
    recovery: { type: 'lt', params: [75] },
    values: week(48, 22, [
      [31, 2, 93],
      [79, 1, 88],
      [140, 3, 96],
    ]),
  },
  {
    uid: 'example-disk',
    title: 'Free disk space is low (GiB)',
    folder: 'Hardware',
    group: 'host',
    operator: 'lt',
    params: [100],
    for: '15m',
    values: week(140, 6, [[120, 48, 92]]),
  },
  {
    uid: 'example-temperature',
    title: 'Room temperature is out of range (°C)',
    folder: 'Hardware',
    group: 'room',
    operator: 'outside_range',
    params: [16, 30],
    values: week(23, 5, [[62, 4, 32]]),
  },
  {
    uid: 'example-peers',
    title: 'Node has few peers',
    folder: 'Nodes',
    group: 'execution',
    operator: 'lt',
    params: [10],
    for: '10m',
    provenance: 'file',
    values: week(42, 9, [[100, 2, 6]]),
  },
];
