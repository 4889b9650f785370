/**
 * The process that evaluates mappings. An expression may take any time and any memory. A thread would not do: V8 ends the whole process
 * when one allocation of a thread is larger than its heap.
 */
import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import jsonata from 'jsonata';
import { LRUCache } from 'lru-cache';
import { LIMITS } from '../../../contract/limits.ts';
import { ellipsize } from '../../../contract/text.ts';
import { WHOLE } from './expressions.ts';

export interface Task {
  /** By member; see `expressionsOf`. */
  expressions: Record<string, string>;
  /** JSON. Undefined: the expressions are only compiled. */
  input?: string | undefined;
}

export interface EvaluationError {
  /** Undefined: the mapping as a whole. */
  member?: string;
  /** A sentence. */
  message: string;
  /** The last character of what is wrong, from 1. */
  position?: number;
}

export interface Outcome {
  errors: EvaluationError[];
  /** The result as JSON; absent: none, or an error. */
  json?: string | undefined;
}

const OPTIONS = {
  timeout: LIMITS.mappingTime.value,
  stack: LIMITS.mappingStack.value,
  sequence: LIMITS.bodyElements.value,
};

const compiled = new LRUCache<string, jsonata.Expression>({ max: LIMITS.mappings.value });

function compile(text: string): jsonata.Expression {
  const expression = compiled.get(text) ?? jsonata(text, OPTIONS);
  compiled.set(text, expression);
  return expression;
}

async function evaluate({ expressions, input }: Task): Promise<Outcome> {
  const errors: EvaluationError[] = [];
  const results: Record<string, unknown> = {};
  for (const [member, text] of Object.entries(expressions)) {
    try {
      const expression = compile(text);
      if (input !== undefined) {
        results[member] = await expression.evaluate(JSON.parse(input));
      }
    } catch (error) {
      errors.push({ member, ...errorOf(error) });
    }
  }
  return errors.length > 0 || input === undefined
    ? { errors }
    : asJson(WHOLE in expressions ? results[WHOLE] : results);
}

/** @param error the library throws plain objects */
function errorOf(error: unknown): Omit<EvaluationError, 'member'> {
  const { message, position } = error as { message?: string; position?: number };
  const text = ellipsize(message ?? String(error), LIMITS.problemText.value / 2).replace(/\.?$/, '.');
  return { message: text, ...(typeof position === 'number' && { position }) };
}

function asJson(result: unknown): Outcome {
  try {
    const json = JSON.stringify(result) as string | undefined;
    return Buffer.byteLength(json ?? '') > LIMITS.bodyBytes.value
      ? { errors: [{ message: `The result is longer than ${LIMITS.bodyBytes.value} bytes.` }] }
      : { errors: [], json };
  } catch {
    return { errors: [{ message: 'The result cannot be written as JSON.' }] };
  }
}

if (process.send) {
  try {
    // core(5): without memory in it. Exhausted memory aborts the process, and any sender may cause that.
    writeFileSync('/proc/self/coredump_filter', '0');
    // proc(5): where memory is exhausted, the kernel ends this process rather than the bridge.
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux.
  }
  const answer = (message: object): void => void process.send?.(message);
  process.on('message', (task: string) => void evaluate(JSON.parse(task) as Task).then(answer));
  // A regular expression would outlive a bridge that was killed: nothing else runs in this thread meanwhile.
  const watch = `setInterval(() => process.ppid === ${process.ppid} || process.kill(process.pid, 'SIGKILL'), 1000)`;
  new Worker(watch, { eval: true }).unref();
  answer({});
}
