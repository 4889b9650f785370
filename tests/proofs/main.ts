/**
 * `npm run prove`: the claims of docs/security.md, in full.
 *
 *   npm run prove -- --store sqlite --kills 500
 *   npm run prove -- --store postgres --kills 200 [--replicas 2]
 *   npm run prove -- --link 50
 *   npm run prove -- --presses 50
 *   npm run prove -- --requests 200000 [--seed 1]
 *   npm run prove -- --hours 8 [--minutes 10] [--figure docs/figures/hours.svg]
 *
 * SIGINT ends `--kills`, `--link`, `--presses` and `--hours` early, with the result so far.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runBridge } from '../bench/bridge.ts';
import { figure } from './figure.ts';
import { growth, proveHours, quarters, RULES, type Sample } from './hours.ts';
import { proveKills } from './kills.ts';
import { proveLink } from './link.ts';
import { provePresses } from './presses.ts';
import { proveRequests } from './requests.ts';

const MIB = 2 ** 20;
const EVERY_KILLS = 10;
const EVERY_REQUESTS = 5000;
/** The first quarter is warming up. How much more the last quarter may use than the second one. */
const MAX_GROWTH = 1.15;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const count = (value: string | undefined, name: string): number => {
  if (value === undefined || !/^[1-9]\d*$/.test(value)) {
    throw new Error(`--${name} needs a positive number`);
  }
  return Number(value);
};
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    kills: { type: 'string' },
    link: { type: 'string' },
    presses: { type: 'string' },
    replicas: { type: 'string', default: '1' },
    requests: { type: 'string' },
    seed: { type: 'string' },
    hours: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    figure: { type: 'string' },
  },
});
let isOver = false;
if (values.requests === undefined) {
  // More than once: npm may pass on what the terminal has sent to all of its processes.
  process.on('SIGINT', () => (isOver = true));
}

/** @returns the figures in one line, and mistakes */
async function kills(): Promise<[string, string[]]> {
  const { store } = values;
  if (store !== 'sqlite' && store !== 'postgres') {
    throw new Error('--store is sqlite or postgres');
  }
  const result = await proveKills({
    store,
    kills: count(values.kills, 'kills'),
    replicas: count(values.replicas, 'replicas'),
    isOver: () => isOver,
    detached: true,
    onKill: (done, acknowledged) => done % EVERY_KILLS === 0 && say(`${done} kills, ${acknowledged} acknowledged`),
  });
  const killed = Object.entries(result.kills).map(([name, times]) => `${times} of ${name}`);
  return [
    `${store}, ${values.replicas} bridge(s): killed ${killed.join(', ')}; ${result.acknowledged} acknowledged, ${result.repeated} attempts repeated`,
    result.mistakes,
  ];
}

async function link(): Promise<[string, string[]]> {
  const result = await proveLink({
    kills: count(values.link, 'link'),
    isOver: () => isOver,
    detached: true,
    onKill: (done, acknowledged) => done % EVERY_KILLS === 0 && say(`${done} kills, ${acknowledged} acknowledged`),
  });
  const { lower, upper } = result.kills;
  return [
    `two linked bridges: killed ${lower} of lower, ${upper} of upper; ${result.acknowledged} acknowledged by the lower, and stored once by the upper`,
    result.mistakes,
  ];
}

async function presses(): Promise<[string, string[]]> {
  const {
    kills: killed,
    times,
    ...result
  } = await provePresses({
    kills: count(values.presses, 'presses'),
    isOver: () => isOver,
    detached: true,
    onKill: (done, pressed) => done % EVERY_KILLS === 0 && say(`${done} kills, ${pressed} pressed`),
  });
  const [middle, longest] = [times[Math.floor(times.length / 2)]!, times.at(-1)!].map(Math.round);
  return [
    `killed ${killed.bridge} of bridge, ${killed.services} of services; ${result.pressed} presses took effect; ${result.doubled} messages doubled in Telegram, ` +
      `${result.repeated} repeated to ntfy; from press to event ${middle} ms, at most ${longest} ms`,
    result.mistakes,
  ];
}

async function requests(): Promise<[string, string[]]> {
  const seed = values.seed === undefined ? Date.now() : count(values.seed, 'seed');
  const bridge = await runBridge(undefined, { NODEBELL_LOG_LEVEL: 'silent' });
  try {
    const result = await proveRequests({
      bridge,
      requests: count(values.requests, 'requests'),
      seed,
      onProgress: (done) => done % EVERY_REQUESTS === 0 && say(`${done} requests, ${toMib(bridge.memory())}`),
    });
    const quarter = Math.ceil(result.memory.length / 4);
    const [before, after] = [mean(result.memory.slice(quarter, 2 * quarter)), mean(result.memory.slice(-quarter))];
    const grown = after > MAX_GROWTH * before ? [`memory grew from ${toMib(before)} to ${toMib(after)}`] : [];
    return [
      `seed ${seed}, ${result.operations} operations, ${result.covered} pairs of operation and status, ` +
        `${JSON.stringify(result.statuses)}; memory ${toMib(before)} in the second quarter, ${toMib(after)} in the last`,
      [...result.unexpected, ...grown],
    ];
  } finally {
    await bridge.stop();
  }
}

async function hours(): Promise<[string, string[]]> {
  const [simulated, minutes] = [Number(values.hours), Number(values.minutes)];
  if (!(simulated > 0 && minutes > 0)) {
    throw new Error('--hours and --minutes need a positive number');
  }
  const shown = (sample: Sample): string =>
    `${sample.hours.toFixed(2)} h: ${toMib(sample.memory)}, heap ${toMib(sample.heap)}, ${sample.handles} open files, ${sample.threads} threads, ` +
    `database ${toMib(sample.file)} with ${toMib(sample.free)} free and ${toMib(sample.keys)} of keys, its log ${toMib(sample.log)}, ${sample.notifications} notifications, ${sample.streams} streams`;
  const { samples, counts, mistakes } = await proveHours({
    hours: simulated,
    minutes,
    isOver: () => isOver,
    detached: true,
    onSample: (sample) => say(shown(sample)),
  });
  if (values.figure !== undefined) {
    writeFileSync(values.figure, hoursFigure(samples));
  }
  const flat = (Object.keys(RULES) as (keyof typeof RULES)[]).map((member) => {
    const size = ['memory', 'data', 'log'].includes(member) ? toMib : String;
    return `${RULES[member].name} ${quarters(samples, member).map(size).join(' → ')}`;
  });
  return [
    `${simulated} h in ${minutes} min, ${JSON.stringify(counts)}; ${flat.join(', ')}`,
    [...mistakes, ...growth(samples)],
  ];
}

function hoursFigure(samples: readonly Sample[]): string {
  const of = (member: keyof Sample, unit = 1): number[] => samples.map((sample) => sample[member] / unit);
  return figure('Memory, open files, the database and notifications over the hours', of('hours'), [
    {
      title: 'Memory',
      unit: 'MiB',
      lines: [
        { name: 'resident set', values: of('memory', MIB) },
        { name: 'heap', values: of('heap', MIB) },
      ],
    },
    {
      title: 'Handles',
      unit: '',
      lines: [
        { name: 'open files', values: of('handles') },
        { name: 'threads', values: of('threads') },
      ],
    },
    {
      title: 'Database',
      unit: 'MiB',
      lines: [
        { name: 'file', values: of('file', MIB) },
        { name: 'without free pages and keys', values: of('data', MIB) },
        { name: 'log', values: of('log', MIB) },
      ],
    },
    { title: 'Notifications', unit: '', lines: [{ name: 'stored', values: of('notifications') }] },
  ]);
}

const toMib = (bytes: number): string => `${Math.round(bytes / MIB)} MiB`;

const start = Date.now();
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const [figures, mistakes] = await (values.hours !== undefined
  ? hours()
  : values.requests !== undefined
    ? requests()
    : values.link !== undefined
      ? link()
      : values.presses !== undefined
        ? presses()
        : kills());
say(`${new Date().toISOString().slice(0, 10)}, ${commit}: ${figures}; ${Math.round((Date.now() - start) / 1000)} s`);
mistakes.forEach((mistake) => say(`Wrong: ${mistake}`));
process.exitCode = mistakes.length > 0 ? 1 : 0;
