/** Evaluates mappings in a process of its own, which starts with the first and ends after idling. */
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LIMITS } from '../../../contract/limits.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { type Call, createFairQueue, type Taken } from '../../platform/storage/fairQueue.ts';
import type { Outcome, Task } from './mappingProcess.ts';

const PROCESS = new URL(`./mappingProcess${extname(import.meta.url)}`, import.meta.url);
const MIB = 2 ** 20;
/** V8 ends it by another signal when its memory is full. */
const KILLS = new Set<NodeJS.Signals>(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);
const FLAGS = [`--max-old-space-size=${LIMITS.mappingHeap.value / MIB}`, '--max-semi-space-size=1'];

interface Job extends Call {
  resolve: (outcome: Outcome) => void;
  reject: (error: Error) => void;
}

const busy = (detail: string): HttpProblem => new HttpProblem('busy', detail, { headers: { 'Retry-After': '1' } });

export interface EvaluatorOptions {
  /** Milliseconds without work after which the process ends. */
  idleMs?: number;
  start?: () => ChildProcess;
}

/** One task at a time, in turns between senders. */
export class Evaluator {
  readonly #idleMs: number;
  readonly #start: () => ChildProcess;
  readonly #waiting = createFairQueue<Job>();
  readonly #waitingOf = new Map<string | undefined, number>();
  #child: ChildProcess | undefined;
  /** The process has said that it works. */
  #ready = false;
  #running: Taken<Job> | undefined;
  #isLate = false;
  #timer: NodeJS.Timeout | undefined;

  constructor({ idleMs = LIMITS.mappingIdle.value, start = startProcess }: EvaluatorOptions = {}) {
    this.#idleMs = idleMs;
    this.#start = start;
  }

  /** Id of the process; undefined: none runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * @param sender whose turn it takes; undefined: the bridge, which no limit rejects
   * @returns also what exceeds a limit, as an error of the outcome
   * @throws HttpProblem 503: too many wait, or the process cannot start
   */
  evaluate(task: Task, sender?: string): Promise<Outcome> {
    const slice = JSON.stringify(task);
    const own = this.#waitingOf.get(sender) ?? 0;
    return new Promise((resolve, reject) => {
      const { mappingWaiting, mappingWaitingOfOne } = LIMITS;
      const isFull =
        sender !== undefined && (own >= mappingWaitingOfOne.value || this.#waiting.length >= mappingWaiting.value);
      if (isFull) {
        throw busy('Too many bodies wait for their mappings. Nothing of this request was stored. Try again.');
      }
      this.#waitingOf.set(sender, own + 1);
      this.#waiting.push({ slices: [slice], bytes: slice.length, sender, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    const [taken] = this.#running ? [] : this.#waiting.takeBatch(1);
    if (!taken) {
      return;
    }
    const { call } = taken;
    const others = this.#waitingOf.get(call.sender)! - 1;
    if (others > 0) {
      this.#waitingOf.set(call.sender, others);
    } else {
      this.#waitingOf.delete(call.sender);
    }
    this.#running = taken;
    try {
      this.#child ??= this.#started();
    } catch (error) {
      this.#fail(error as Error);
      return;
    }
    if (this.#ready) {
      this.#give(this.#child, taken);
    } else {
      this.#killAfter(this.#child, LIMITS.mappingStart.value);
    }
  }

  #started(): ChildProcess {
    const child = this.#start();
    this.#ready = false;
    let cause: Error | undefined;
    child.on('message', (outcome: Outcome) => this.#settle(child, outcome));
    child.on('error', (error) => {
      cause = error;
      // One that has not started does not exit either.
      this.#ended(child, error);
    });
    child.once('exit', (_code, signal) => this.#ended(child, cause, signal));
    return child;
  }

  #give(child: ChildProcess, { slice }: Taken<Job>): void {
    child.ref();
    child.channel?.ref();
    this.#isLate = false;
    // Its own limit does not interrupt functions of the library, such as those with regular expressions.
    this.#killAfter(child, 2 * LIMITS.mappingTime.value);
    child.send(slice, () => undefined);
  }

  #killAfter(child: ChildProcess, ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      child.kill('SIGKILL');
    }, ms);
  }

  /** The first message only says that the process works. */
  #settle(child: ChildProcess, outcome: Outcome): void {
    const running = this.#running;
    if (child !== this.#child || !running) {
      return;
    }
    if (!this.#ready) {
      this.#ready = true;
      this.#give(child, running);
      return;
    }
    this.#running = undefined;
    running.call.resolve(outcome);
    if (this.#isLate) {
      // It has been killed while its outcome was on the way.
      clearTimeout(this.#timer);
      this.#child = undefined;
    }
    this.#next();
    if (!this.#running && child === this.#child) {
      this.#rest(child);
    }
  }

  /** Waits for the next task, and does not keep the bridge or a command running. */
  #rest(child: ChildProcess): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#child = undefined;
      child.kill();
    }, this.#idleMs);
    this.#timer.unref();
    child.unref();
    child.channel?.unref();
  }

  #ended(child: ChildProcess, cause: Error | undefined, signal?: NodeJS.Signals | null): void {
    if (child !== this.#child) {
      return;
    }
    clearTimeout(this.#timer);
    this.#child = undefined;
    const running = this.#running;
    if (!this.#ready) {
      this.#fail(cause);
    } else if (running && !this.#isLate && signal && KILLS.has(signal)) {
      this.#fail(cause);
    } else if (running) {
      this.#running = undefined;
      const { mappingTime, mappingHeap } = LIMITS;
      const message = this.#isLate
        ? `It takes longer than ${mappingTime.value} ms.`
        : `It needs more than ${mappingHeap.value / MIB} MiB of memory.`;
      running.call.resolve({ errors: [{ message }] });
      this.#next();
    }
  }

  /** The process cannot start, or was killed from outside, such as for memory of others. */
  #fail(cause: Error | undefined): void {
    const running = this.#running;
    this.#running = undefined;
    const problem = busy(
      'The process that evaluates mappings was ended, or did not start. Nothing was stored. Try again.'
    );
    problem.cause = cause;
    running?.call.reject(problem);
    this.#next();
  }
}

/** Without the environment of the bridge, which has secrets. */
const startProcess = (): ChildProcess =>
  fork(fileURLToPath(PROCESS), [], { execArgv: FLAGS, env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });

/** Shared by webhooks and provisioning. */
export const evaluator = new Evaluator();
