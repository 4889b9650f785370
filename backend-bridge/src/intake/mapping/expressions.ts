/** The expressions of a mapping. Without the schemas, which the process that evaluates them does not need. */
import { compact } from '../../../contract/compact.ts';
import type { Mapping } from '../../../contract/mapping.ts';

/** The name of an expression that makes the whole notification, among those of members. */
export const WHOLE = '';

/** Its expressions by member; {@link WHOLE}: all members. */
export const expressionsOf = ({ expression: whole, members: each = {} }: Mapping): Record<string, string> =>
  whole === undefined ? compact<Record<string, string>>(each) : { [WHOLE]: whole };
