/**
 * The history of a value from Prometheus: under a slider (GET /packages/{dnpName}/endpoints/{correlationId}/history) and beside
 * a node (GET /chains/{dnpName}/history). Times are ISO 8601, UTC, except those of samples.
 */
import { z } from 'zod';

/** How far back is drawn, and how far back is counted, in seconds. */
export const DRAWN_SECONDS = 86_400;
export const COUNTED_SECONDS = 7 * 86_400;

/** The maximum number of samples in a response. */
export const MAX_SAMPLES = 300;

const drawn = {
  from: z.iso.datetime().describe('The beginning of what is drawn: 24 hours before its end.'),
  to: z.iso.datetime().describe('Its end.'),
  stepSeconds: z
    .number()
    .describe('From one sample to the next. Where two lie further apart, there was no value in between.'),
  samples: z
    .array(z.tuple([z.int(), z.number()]))
    .max(MAX_SAMPLES)
    .describe(
      'Unix seconds and the value, oldest first; for each step the value that is the nearest to an alert. Empty: Prometheus has none.'
    ),
  note: z.string().optional().describe('What there is to know besides: a sentence.'),
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
    forSeconds: z.number().describe('How long the condition must be violated without a break before it alerts.'),
    checkedSeconds: z.number().describe('From one of the values that were counted to the next.'),
    countedFrom: z.iso
      .datetime()
      .optional()
      .describe(
        'Where the values begin: seven days ago, or later where Prometheus has no older ones. Absent: it has none.'
      ),
  })
  .meta({
    id: 'EndpointHistory',
    description: 'What the value of an endpoint has been, and how often it would have alerted.',
  });
export type EndpointHistory = z.infer<typeof endpointHistorySchema>;

export const endpointHistoryQuerySchema = z.strictObject({
  threshold: z.coerce.number().optional().describe('Count with this threshold. Default: the one in effect.'),
});

export const chainHistorySchema = z
  .object(drawn)
  .meta({ id: 'ChainHistory', description: 'How many blocks a node has been behind, the most of each step.' });
export type ChainHistory = z.infer<typeof chainHistorySchema>;
