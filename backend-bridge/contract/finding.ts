/** What a judge says of a file: where, how bad, what was found and what to do. */
import { z } from 'zod';

/**
 * `error`: breaks a rule of the specification, the file is refused; `warning`: a recommendation, an unlisted value or member,
 * another dialect's shape, accepted and shown; `note`: nothing to do.
 */
export const VERDICTS = ['error', 'warning', 'note'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The three files that are judged together. */
export const FILE_KINDS = ['manifest', 'notifications', 'compose'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** Whose rules: `spec` makes the other dialect's known shapes errors, `dappnode` warnings. */
export const DIALECTS = ['spec', 'dappnode'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** The longest text of a file that is judged, in UTF-16 code units; a real one has some thousands. */
export const MAX_FILE_LENGTH = 1024 * 1024;

export const findingSchema = z
  .object({
    rule: z
      .string()
      .describe('Names the rule; it does not change.')
      .meta({ examples: ['version-format'] }),
    verdict: z.enum(VERDICTS).describe('How bad it is.'),
    title: z
      .string()
      .describe('What is the matter, in a few words.')
      .meta({ examples: ['version is not three numbers'] }),
    detail: z.string().describe('What was found, what is allowed and what to do.'),
    file: z.enum(FILE_KINDS).describe('Which of the files it is about.'),
    pointer: z.string().describe('JSON Pointer (RFC 6901) into that file; empty: the whole file.'),
    line: z.int().min(1).describe('The line in the text of the file, from 1.'),
    column: z.int().min(1).describe('The column in that line, in UTF-16 code units, from 1.'),
    endLine: z.int().min(1).describe('The line in which it ends.'),
    endColumn: z.int().min(1).describe('The column after its last character.'),
  })
  .meta({ id: 'Finding', description: 'One thing that a judge has to say of a file.' });
export type Finding = z.infer<typeof findingSchema>;
