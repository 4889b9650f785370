/** Judges, prints, and tells by its exit code what came of it. */
import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import type { Format, ValidateFlags } from '../validate.ts';
import { githubText } from './github.ts';
import { humanText } from './human.ts';
import { jsonText } from './json.ts';
import { judgePaths } from './judge.ts';
import { sarifText } from './sarif.ts';
import { countOf, type Outcome } from './types.ts';

/** @returns 2 when a file could not be read, else 1 when there is an error */
export async function validate(paths: readonly string[], flags: ValidateFlags, io: CliIo): Promise<ExitCode> {
  const outcome = await judgePaths(paths.length === 0 ? ['.'] : paths, flags.dialect);
  io.out(textOf(flags.format, flags.quiet ? errorsOnly(outcome) : outcome, io));
  if (outcome.unreadable.length > 0) {
    return EXIT.usage;
  }
  return countOf(outcome, 'error') > 0 ? EXIT.refused : EXIT.ok;
}

function errorsOnly(outcome: Outcome): Outcome {
  return {
    ...outcome,
    files: outcome.files.map((file) => ({
      ...file,
      findings: file.findings.filter(({ verdict }) => verdict === 'error'),
    })),
  };
}

/** @returns what is printed of an outcome */
export function textOf(format: Format, outcome: Outcome, io: CliIo): string {
  switch (format) {
    case 'human':
      return humanText(outcome, { colour: io.terminal === true && !io.env.NO_COLOR });
    case 'json':
      return jsonText(outcome);
    case 'sarif':
      return sarifText(outcome, io.version);
    case 'github':
      return githubText(outcome);
  }
}
