/**
 * The history of a value from Prometheus: under a slider (GET /packages/{dnpName}/endpoints/{correlationId}/history) and beside
 * a node (GET /chains/{dnpName}/history). Times are ISO 8601, UTC, except those of samples.
 */
import { z } from 'zod';

/** Ranges of the chart and of the count, in seconds. */
export const DRAWN_SECONDS = 86_400;
export const COUNTED_SECONDS = 7 * 86_400;

/** The maximum number of samples in a response. */
export const MAX_SAMPLES = 300;

const drawn = {
  from: z.iso.datetime().describe('Start of the time range: 24 hours before its end.'),
  to: z.iso.datetime().describe('End of the time range.'),
  stepSeconds: z.number().describe('Seconds between samples. A larger distance means missing values.'),
  samples: z
    .array(z.tuple([z.int(), z.number()]))
    .max(MAX_SAMPLES)
    .describe(
      'Unix seconds and the value, oldest first; for each step the value that is the nearest to an alert. Empty: Prometheus has none.'
    ),
  note: z.string().optional().describe('A remark: a sentence.'),
};

export const endpointHistorySchema = z
  .object({
    ...drawn,
    threshold: z.number().describe('The threshold used for counting: as requested, else the current one.'),
    fired: z
      .int()
      .min(0)
      .describe(
        'How often it would have begun to alert at that threshold since `countedFrom`: each run of violations once.'
      ),
    forSeconds: z
      .number()
      .describe('Seconds for which the condition must be violated without interruption before it alerts.'),
    checkedSeconds: z.number().describe('Seconds between the values that were counted.'),
    countedFrom: z.iso
      .datetime()
      .optional()
      .describe(
        'Where the values begin: seven days ago, or later where Prometheus has no older ones. Absent: it has none.'
      ),
  })
  .meta({
    id: 'EndpointHistory',
    description: 'The history of the value of an endpoint, and how often it would have alerted.',
  });
export type EndpointHistory = z.infer<typeof endpointHistorySchema>;

export const endpointHistoryQuerySchema = z.strictObject({
  threshold: z.coerce.number().optional().describe('Count with this threshold. Default: the one in effect.'),
});

export const chainHistorySchema = z
  .object(drawn)
  .meta({ id: 'ChainHistory', description: 'How many blocks a node was behind: the maximum of each step.' });
export type ChainHistory = z.infer<typeof chainHistorySchema>;
