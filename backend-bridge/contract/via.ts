/**
 * The bridges through which a notification has come, in order: the first is the one that received it, the last the one that sends it.
 * A bridge that finds itself among them does not store the notification again.
 */
import { z } from 'zod';
import { list } from './schema.ts';
import { LIMITS } from './limits.ts';

/** With a single notification: the ids, separated by commas. In a batch, each notification has its own in the member `via`. */
export const VIA_HEADER = 'Nodebell-Via';

const MOST = LIMITS.viaBridges.value;
/** Made once for each database; names nothing. */
export const bridgeIdSchema = z
  .string()
  .regex(/^[0-9a-f]{12}$/, { error: 'the id of a bridge: 12 hexadecimal digits' });

export const viaSchema = list(
  'Ids of the bridges through which it has come, the sending one last. It is not stored by a bridge among them.',
  bridgeIdSchema
)
  .min(1)
  .max(MOST);

/** A header of {@link VIA_HEADER}, or a list as it is stored. */
export const parseVia = (text: string): string[] => text.split(',').map((id) => id.trim());
export const formatVia = (via: readonly string[]): string => via.join(',');

/** Description of the header, for operations. */
export const VIA = { [VIA_HEADER]: 'Ids of the bridges through which it has come; 409 if this bridge is among them.' };
