/** Reads from a compose file what the judge of manifests must know. Pure. */
import type { ComposeFacts } from './compose.ts';
import type { Finding } from './finding.ts';

export interface ReadCompose {
  findings: Finding[];
  /** Absent when the file cannot be read. */
  facts?: ComposeFacts;
}

/** Reads the text of a compose file, YAML or JSON. Never throws. */
export function readCompose(_text: string): ReadCompose {
  return { findings: [] };
}
