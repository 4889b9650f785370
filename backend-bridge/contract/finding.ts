/** The result of validating a file: each finding with its severity, its place, what was found and how to fix it. */
import type { z } from 'zod';
import { component, integer, oneOf, string } from './schema.ts';

/**
 * `error`: the file is rejected; `warning`: it is accepted, and the finding is shown; `note`: no action required. What is an error
 * depends on the dialect.
 */
export const VERDICTS = ['error', 'warning', 'note'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The three files that are validated together. */
export const FILE_KINDS = ['manifest', 'notifications', 'compose'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/**
 * Rules to validate by. `dappnode`: an error if DAppNode rejects it; `spec`: an error if the specification does; `any`: an error if both do
 * or nothing useful can be made of it, and a warning that names the one that rejects it.
 */
export const DIALECTS = ['any', 'dappnode', 'spec'] as const;
export type Dialect = (typeof DIALECTS)[number];
export const DEFAULT_DIALECT: Dialect = 'any';

/** The longest text of a file that is validated, in UTF-16 code units; a real one has some thousands. */
export const MAX_FILE_LENGTH = 1024 * 1024;

export const findingSchema = component('Finding', 'A result of validating a file.', {
  rule: string('Names the rule; it does not change.', { examples: ['version-format'] }),
  verdict: oneOf('The severity.', VERDICTS),
  title: string('The problem in a few words.', { examples: ['version is not three numbers'] }),
  detail: string('The value found, the values allowed, and the remedy.'),
  file: oneOf('The file.', FILE_KINDS),
  pointer: string('JSON Pointer (RFC 6901) into that file; empty: the whole file.'),
  line: integer('The line in the text of the file, from 1.').min(1),
  column: integer('The column in that line, in UTF-16 code units, from 1.').min(1),
  endLine: integer('The line in which it ends.').min(1),
  endColumn: integer('The column after its last character.').min(1),
});
export type Finding = z.infer<typeof findingSchema>;
