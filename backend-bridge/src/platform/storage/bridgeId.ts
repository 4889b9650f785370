/** The id of the bridge: the same for all replicas, and as long as the database lives. It ends loops between bridges (contract/via.ts). */
import type { Database } from './engine.ts';
import { readKeptNumber } from './keptNumber.ts';
import type { WriteQueue } from './writeQueue.ts';

const SERIES = 'bridge';
const HEX_DIGITS = 12;

/** Twelve hexadecimal digits. Made at the first start. */
export const readBridgeId = async (db: Database, writes: Pick<WriteQueue, 'submit'>): Promise<string> =>
  (await readKeptNumber(db, writes, SERIES)).toString(16).padStart(HEX_DIGITS, '0');
