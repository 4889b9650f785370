/** Responses with all that matches, as a file. */
import type { Request, Response } from 'express';
import { EXPORT_TYPES } from '../../../contract/exportFormat.ts';
import { csvLine } from './csv.ts';
import { writeTexts } from './texts.ts';

/** Besides JSON, which has one page. */
export type ExportFormat = 'jsonl' | 'csv';

const MEDIA = { jsonl: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' } as const;
/** Rows that are read at a time. */
export const EXPORT_STEP = 500;

interface Export<K> {
  /** File name without its extension. */
  name: string;
  as: ExportFormat;
  columns: readonly string[];
  /** Reads the next rows as text. `next`: where those after them begin; undefined: there are none. */
  step: (after: K | undefined) => Promise<{ body?: Uint8Array<ArrayBuffer> | undefined; next: K | undefined }>;
}

/** The format of a request: the parameter `format`, else the header `Accept`. */
export const formatOf = (req: Request, format: 'json' | ExportFormat | undefined) =>
  format ?? BY_TYPE[req.accepts(['application/json', ...EXPORT_TYPES]) || ''] ?? 'json';
const BY_TYPE: Record<string, ExportFormat> = { 'application/x-ndjson': 'jsonl', 'text/csv': 'csv' };

/** Sends an export of any length with little memory. */
export async function sendExport<K>(res: Response, { name, as, columns, step }: Export<K>): Promise<void> {
  res.set({ 'Content-Type': MEDIA[as], 'Content-Disposition': `attachment; filename="${name}.${as}"` });
  await writeTexts(res, textsOf(as === 'csv' ? csvLine(columns) : '', step));
}

async function* textsOf<K>(header: string, step: Export<K>['step']): AsyncGenerator<Uint8Array | string> {
  yield header;
  let after: K | undefined;
  do {
    const { body, next } = await step(after);
    yield body ?? '';
    after = next;
  } while (after !== undefined);
}
