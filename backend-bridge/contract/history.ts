/**
 * The history of a value from Prometheus: under a slider (GET /packages/{dnpName}/endpoints/{correlationId}/history) and beside
 * a node (GET /chains/{dnpName}/history). Times are ISO 8601, UTC, except those of samples.
 */
import { z } from 'zod';
import { component, integer, list, number, string, time } from './schema.ts';

/** Ranges of the chart and of the count, in seconds. */
export const DRAWN_SECONDS = 86_400;
export const COUNTED_SECONDS = 7 * 86_400;

/** The maximum number of samples in a response. */
export const MAX_SAMPLES = 300;

const drawn = {
  from: time('Start of the time range: 24 hours before its end.'),
  to: time('End of the time range.'),
  stepSeconds: number('Seconds between samples. A larger distance means missing values.'),
  samples: list(
    'Unix seconds and the value, oldest first; for each step the value that is the nearest to an alert. Empty: Prometheus has none.',
    z.tuple([z.int(), z.number()])
  ).max(MAX_SAMPLES),
  note: string('A remark: a sentence.').optional(),
};

export const endpointHistorySchema = component(
  'EndpointHistory',
  'The history of the value of an endpoint, and how often it would have alerted.',
  {
    ...drawn,
    threshold: number('The threshold used for counting: as requested, else the current one.'),
    fired: integer(
      'How often it would have begun to alert at that threshold since `countedFrom`: each run of violations once.'
    ).min(0),
    forSeconds: number('Seconds for which the condition must be violated without interruption before it alerts.'),
    checkedSeconds: number('Seconds between the values that were counted.'),
    countedFrom: time(
      'Where the values begin: seven days ago, or later where Prometheus has no older ones. Absent: it has none.'
    ).optional(),
  }
);
export type EndpointHistory = z.infer<typeof endpointHistorySchema>;

export const endpointHistoryQuerySchema = z.strictObject({
  threshold: z.coerce.number().optional().describe('Count with this threshold. Default: the one in effect.'),
});

export const chainHistorySchema = component(
  'ChainHistory',
  'How many blocks a node was behind: the maximum of each step.',
  drawn
);
export type ChainHistory = z.infer<typeof chainHistorySchema>;
