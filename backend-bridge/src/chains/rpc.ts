/** JSON-RPC (2.0, and 1.0 as Bitcoin speaks it): several calls in one request, and what each came to. */
import type { Ask } from './ask.ts';
import { isObject } from './answers.ts';
import { badAnswer, wordsOf } from './reading.ts';

/** Answers as they came, by method; a method that was not answered is missing. */
export type RpcAnswers = Record<string, unknown>;

/** What is remembered of a node between two questions. */
export interface RpcMemory {
  /** It takes only one call a request. */
  single?: boolean;
}

export interface RpcOptions {
  ask: Ask;
  path: string;
  memory: RpcMemory;
  version: '1.0' | '2.0';
}

/**
 * Asks for all of them: in one request, or one after another where the node takes no batches.
 * @throws NodeProblem
 */
export async function callAll(methods: readonly string[], options: RpcOptions): Promise<RpcAnswers> {
  const { memory } = options;
  if (memory.single !== true) {
    const answer = await options.ask(
      options.path,
      methods.map((method, id) => call(method, id, options))
    );
    if (Array.isArray(answer)) {
      return byMethod(methods, answer);
    }
  }
  const answers: RpcAnswers = {};
  for (const [id, method] of methods.entries()) {
    answers[method] = await options.ask(options.path, call(method, id, options));
  }
  // Of a node that answers each request with an error it is not known yet.
  memory.single = Object.values(answers).some((answer) => 'result' in outcomeOf(answer));
  return answers;
}

const call = (method: string, id: number, { version }: RpcOptions): object => ({
  jsonrpc: version,
  id,
  method,
  params: [],
});

function byMethod(methods: readonly string[], batch: readonly unknown[]): RpcAnswers {
  const answers: RpcAnswers = {};
  for (const answer of batch) {
    const method = isObject(answer) ? methods[Number(answer['id'])] : undefined;
    if (method !== undefined) {
      answers[method] = answer;
    }
  }
  return answers;
}

export type RpcOutcome =
  { result: unknown } | { error: { code: number | undefined; message: string } } | { absent: true };

/** An answer that says nothing, neither result nor error, is absent. */
export function outcomeOf(answer: unknown): RpcOutcome {
  if (!isObject(answer)) {
    return { absent: true };
  }
  const { error } = answer;
  if (error !== null && error !== undefined) {
    const { code, message } = isObject(error) ? error : { code: undefined, message: error };
    return {
      error: {
        code: typeof code === 'number' ? code : undefined,
        message: typeof message === 'string' ? wordsOf(message) : 'no words',
      },
    };
  }
  return 'result' in answer ? { result: answer['result'] } : { absent: true };
}

/** @throws NodeProblem when the node answers with an error, or not at all */
export function resultOf(answers: RpcAnswers, method: string): unknown {
  const outcome = outcomeOf(answers[method]);
  if ('error' in outcome) {
    throw badAnswer('rpc-error', `The node answers ${method} with an error: ${inWords(outcome.error)}.`);
  }
  if ('absent' in outcome) {
    throw badAnswer('not-understood', `The node's answer to ${method} is no JSON-RPC answer.`);
  }
  return outcome.result;
}

/** Of what can do without. */
export function resultIfAny(answers: RpcAnswers, method: string): unknown {
  const outcome = outcomeOf(answers[method]);
  return 'result' in outcome ? outcome.result : undefined;
}

export function inWords({ code, message }: { code: number | undefined; message: string }): string {
  return code === undefined ? message : `${message} (${code})`;
}
