/** Expressions that take any time and any memory, in the process that evaluates them. */
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { Evaluator } from './evaluator.ts';
import type { Outcome } from './mappingProcess.ts';

const evaluator = new Evaluator();
const BODY = JSON.stringify({ title: 'Disk full', text: `${'a'.repeat(40)}!` });

const evaluate = (expression: string, input = BODY, sender?: string) =>
  evaluator.evaluate({ expressions: { '': expression }, input }, sender);
/** The result of a normal body, to see that the evaluator works. */
const works = async () => expect(await evaluate('title')).toEqual({ errors: [], json: '"Disk full"' });

const isRunning = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

afterAll(() => {
  if (evaluator.pid !== undefined) {
    process.kill(evaluator.pid, 'SIGKILL');
  }
});

describe('an expression', () => {
  it('makes JSON of JSON', async () => {
    expect(await evaluate('{ "title": title & "!", "labels": { "n": $count([1, 2]) } }')).toEqual({
      errors: [],
      json: '{"title":"Disk full!","labels":{"n":2}}',
    });
    expect(await evaluate('missing')).toEqual({ errors: [] });
  });

  it('may be one for each member; what has no result is left out', async () => {
    const expressions = { title: '$uppercase(title)', priority: '"high"', category: 'missing' };
    expect(await evaluator.evaluate({ expressions, input: BODY })).toEqual({
      errors: [],
      json: '{"title":"DISK FULL","priority":"high"}',
    });
  });

  it('without a body is only compiled, and each error has its member and position', async () => {
    const expressions = { title: 'a +', body: '$error("never")', priority: '$lowercase(' };
    expect(await evaluator.evaluate({ expressions })).toEqual({
      errors: [
        { member: 'title', position: 3, message: expect.stringContaining('end of expression') },
        { member: 'priority', position: 11, message: expect.stringContaining('end of expression') },
      ],
    });
  });

  it('that fails says where', async () => {
    expect(await evaluate('title + 1')).toEqual({
      errors: [{ member: '', position: 7, message: expect.stringContaining('must evaluate to a number') }],
    });
  });
});

it('is not to blame when its process is killed from outside: the sender tries again', async () => {
  await works();
  const running = evaluate('$contains(text, /^(a+)+$/)');
  process.kill(evaluator.pid!, 'SIGKILL');
  await expect(running).rejects.toMatchObject({ kind: 'busy' });
  await works();
});

it('the kernel ends its process rather than the bridge', async () => {
  await works();
  expect(readFileSync(`/proc/${evaluator.pid}/oom_score_adj`, 'utf8').trim()).toBe('1000');
});

it('after one whose outcome came when its process was being killed, the next has another process', async () => {
  const outcomeOf = (json: string): Outcome => ({ errors: [], json });
  const childOf = (late: boolean) => {
    const child = Object.assign(new EventEmitter(), {
      ...{ ref: () => undefined, unref: () => undefined, channel: { ref: () => undefined, unref: () => undefined } },
      send: () => late || setImmediate(() => child.emit('message', outcomeOf('"next"'))),
      kill: () => {
        child.emit('message', outcomeOf('"late"'));
        setImmediate(() => child.emit('exit', null, 'SIGKILL'));
      },
    });
    setImmediate(() => child.emit('message', outcomeOf('')));
    return child as unknown as ChildProcess;
  };
  const children = [childOf, childOf].map((make, index) => () => make(index === 0));
  const two = new Evaluator({ start: () => children.shift()!() });
  const task = { expressions: { '': 'title' }, input: BODY };
  const outcomes = [two.evaluate(task), two.evaluate(task)];
  expect((await Promise.all(outcomes)).map(({ json }) => json)).toEqual(['"late"', '"next"']);
});

it('of the bridge is not rejected while bodies of senders wait', async () => {
  const few = new Evaluator();
  const task = { expressions: { '': 'title' }, input: BODY };
  const max = LIMITS.mappingWaiting.value;
  const bodies = Array.from({ length: max + 1 }, (_, index) => few.evaluate(task, `sender ${index}`));
  await expect(few.evaluate(task, 'one more')).rejects.toMatchObject({ kind: 'busy' });
  expect(await few.evaluate(task)).toEqual({ errors: [], json: '"Disk full"' });
  await Promise.all(bodies);
});

/** A text of 2^n characters, which takes no memory until it is used. */
const doubled = (n: number): string => `($d := function($s, $n) { $n = 0 ? $s : $d($s & $s, $n - 1) }; $d("a", ${n}))`;
const LATE = /takes longer than 500 ms|timeout/;
const LARGE = /memory|timeout|takes longer|sequence length|longer than 1048576 bytes/;

describe('a hostile expression ends, and the next one works', () => {
  it.each([
    ['endless recursion', '($f := function($x) { $f($x + 1) }; $f(0))', LATE],
    ['deep recursion', '($f := function($x) { 1 + $f($x + 1) }; $f(0))', /Stack overflow/],
    ['a regular expression with catastrophic backtracking', '$match(text, /^(a+)+$/)', LATE],
    ['the same in a replacement', '$replace(text, /(a*)*b/, "x")', LATE],
    ['a range of ten million', '$sum([1..9999999])', LARGE],
    ['a padded text', '$pad("", 500000000)', LARGE],
    ['a doubled text', doubled(28), LARGE],
    ['a doubled text that is used', `$uppercase(${doubled(28)})`, LARGE],
    ['a doubled list', '($d := function($s, $n) { $n = 0 ? $s : $d([$s, $s], $n - 1) }; $d([1], 40))', LARGE],
    ['a large result', doubled(21), /longer than 1048576 bytes/],
    ['a function as result', '{ "title": function($x) { $x } }', /cannot be written as JSON/],
    ['nested brackets', '('.repeat(8000), /call stack|end of expression/],
  ])('%s', async (_name, expression, message) => {
    const { errors, json } = await evaluate(expression);
    expect([errors.map((error) => error.message).join(), json]).toEqual([expect.stringMatching(message), undefined]);
    await works();
  });

  it('names of prototypes are ordinary members, and functions of the language are out of reach', async () => {
    const hostile = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    expect((await evaluate('$merge([$, { "x": __proto__.polluted }])', hostile)).json).toContain('"x":1');
    expect((await evaluate('$ ~> |$|{ "__proto__": { "polluted": 2 } }|', hostile)).errors).toEqual([]);
    expect(await evaluate('{}.polluted', hostile)).toEqual({ errors: [] });
    for (const escape of ['title.constructor', '$sum.constructor', '({}).constructor.constructor("1")()']) {
      expect((await evaluate(escape)).json, escape).toBeUndefined();
    }
  });

  it('the process has no variables of the bridge', async () => {
    await works();
    expect(readFileSync(`/proc/${evaluator.pid}/environ`, 'utf8')).not.toMatch(/PATH|HOME|NODEBELL/);
  });
});

describe('the process', () => {
  it('starts with the first task, and ends after idling', async () => {
    const own = new Evaluator({ idleMs: 1 });
    expect(own.pid).toBeUndefined();
    const task = own.evaluate({ expressions: { '': '1' }, input: '{}' });
    const pid = own.pid!;
    expect((await task).json).toBe('1');
    await vi.waitFor(() => expect([own.pid, isRunning(pid)]).toEqual([undefined, false]), { timeout: 30_000 });
    expect((await own.evaluate({ expressions: { '': '2' }, input: '{}' })).json).toBe('2');
  });

  it('serves senders in turns, and rejects what one of them has too much', async () => {
    const order: string[] = [];
    const send = (sender: string) =>
      evaluate('1', '{}', sender).then(
        () => order.push(sender),
        (error: unknown) => order.push(`${sender} ${(error as HttpProblem).kind}`)
      );
    // One is running.
    const greedy = Array.from({ length: LIMITS.mappingWaitingOfOne.value + 2 }, () => send('greedy'));
    await Promise.all([...greedy, send('modest')]);
    expect([order[0], order.indexOf('modest') <= 3, order.filter((one) => one === 'greedy').length]).toEqual([
      'greedy busy',
      true,
      LIMITS.mappingWaitingOfOne.value + 1,
    ]);
  });

  it.each<[string, () => ChildProcess]>([
    ['does not exist', () => spawn('/no/such/program', { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })],
    ['ends at once', () => spawn(process.execPath, ['-e', ''], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })],
    [
      'cannot be started',
      () => {
        throw new Error('ENOMEM');
      },
    ],
  ])('that %s: 503, for each task', async (_name, start) => {
    const own = new Evaluator({ start });
    const results = await Promise.allSettled([1, 2].map(() => own.evaluate({ expressions: {}, input: '{}' })));
    expect(results.map((one) => one.status === 'rejected' && (one.reason as HttpProblem).status)).toEqual([503, 503]);
    expect((results[0] as PromiseRejectedResult).reason).toBeInstanceOf(HttpProblem);
  });

  it('ends with a bridge that was killed, also in a regular expression', async () => {
    const source = new URL('./evaluator.ts', import.meta.url).pathname;
    const program = `
      const { evaluator } = await import(${JSON.stringify(source)});
      await evaluator.evaluate({ expressions: { '': '1' }, input: '{}' });
      process.stdout.write(String(evaluator.pid));
      evaluator.evaluate({ expressions: { '': '$match(text, /^(a+)+$/)' }, input: ${JSON.stringify(BODY)} });
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100);`;
    const bridge = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await new Promise<number>((resolve) => bridge.stdout.once('data', (text) => resolve(Number(text))));
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 60_000 });
    expect(bridge.signalCode).toBe('SIGKILL');
  });
});
