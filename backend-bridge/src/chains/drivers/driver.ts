/** What a kind of chain must be able to do: fetch, and read what was fetched. The two are apart so that reading is pure. */
import type { Ask } from '../ask.ts';
import type { Identity, Reading } from '../reading.ts';
import type { RpcMemory } from '../rpc.ts';

/** JSON as the node answered, by what was asked. What can do without may be missing. */
export type RawAnswers = Record<string, unknown>;

export interface FetchContext {
  ask: Ask;
  /** Whether to ask as well for what hardly changes. */
  identity: boolean;
  memory: RpcMemory;
}

export interface Driver {
  /** What it answers on when nobody says otherwise (specification, "chain values"). */
  port: number;
  /** Seconds between two questions. */
  interval: number;
  /** Its name in words, until the node has said its network. */
  title: string;
  /** @throws NodeProblem */
  fetch(context: FetchContext): Promise<RawAnswers>;
  /**
   * Pure.
   * @param known what the node has said of itself before
   * @throws NodeProblem
   */
  read(answers: RawAnswers, known: Identity): Reading;
}
