/** What was found in which file. */
import type { Finding } from '../../../contract/finding.ts';

/** Without the kind of file where that is none of a package. */
export type FileFinding = Omit<Finding, 'file'> & Partial<Pick<Finding, 'file'>>;

export interface JudgedFile {
  /** Relative to the folder that one is in, with slashes. */
  path: string;
  text: string;
  /** By place. */
  findings: FileFinding[];
}

export interface UnreadableFile {
  /** Relative to the folder that one is in, with slashes. */
  path: string;
  /** A sentence. */
  message: string;
}

export interface Outcome {
  /** In the order in which they were found; those without findings as well. */
  files: JudgedFile[];
  unreadable: UnreadableFile[];
  /** How many folders of packages there were; each variant counts. */
  packages: number;
}

/** Adds findings to a file; a file without any is named all the same. */
export type Say = (name: string, text: string, findings: readonly FileFinding[]) => void;
/** @param message a sentence: why it could not be read */
export type Refuse = (name: string, message: string) => void;

export const countOf = ({ files }: Outcome, verdict: Finding['verdict']): number =>
  files.reduce((sum, { findings }) => sum + findings.filter((one) => one.verdict === verdict).length, 0);

/** For findings of one file. */
export const byLine = (a: FileFinding, b: FileFinding): number => a.line - b.line || a.column - b.column;
