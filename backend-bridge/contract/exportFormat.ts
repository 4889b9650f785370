/** Formats of operations that list something: a page of JSON, or all of it as a file. */
import { oneOf } from './schema.ts';

const FORMATS = ['json', 'jsonl', 'csv'] as const;
/** Media types besides JSON. */
export const EXPORT_TYPES = ['application/x-ndjson', 'text/csv'] as const;

/** The parameter `format`. @param exported what a file has */
export const exportFormat = (exported: string) =>
  oneOf(
    `\`jsonl\` and \`csv\` export ${exported}. Also by \`Accept: application/x-ndjson\` or \`text/csv\`.`,
    FORMATS,
    { default: 'json' }
  ).optional();
