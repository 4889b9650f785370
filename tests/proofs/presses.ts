/**
 * Presses of a button in Telegram while the bridge is killed, and while Telegram and ntfy break connections: each press takes effect once
 * and is seen once by an open inbox, and each alert arrives. Telegram has no idempotency, so that an alert may arrive there twice: when a
 * message was accepted, and a kill came before that was stored.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { anotherMoment, until } from './kills.ts';
import { type Compared, PressesScene } from './pressesScene.ts';

/** Presses before the first kill, one after another, which are timed. */
const TIMED = 20;
const DOWN_MS = 50;

export interface Presses {
  /** Kills of the bridge and of the services, in turn. */
  kills: number;
  onKill?: (done: number, pressed: number) => void;
  /** Ends it before that, with the result so far. */
  isOver?: () => boolean;
  /** The bridge does not get the signals of the terminal. Default: false */
  detached?: boolean;
}

export interface PressesResult extends Compared {
  kills: { bridge: number; services: number };
  /** From a press to its event on an open stream, without a kill: milliseconds, ascending. */
  times: number[];
  mistakes: string[];
}

export async function provePresses({
  kills,
  onKill,
  isOver = () => false,
  detached = false,
}: Presses): Promise<PressesResult> {
  const folder = mkdtempSync(join(tmpdir(), 'nodebell-presses-'));
  const scene = await PressesScene.open(folder, detached);
  const killed = { bridge: 0, services: 0 };
  try {
    const times: number[] = [];
    while (times.length < TIMED) {
      times.push(await scene.timed());
    }
    for (let round = 0; round < kills && !isOver(); round += 1) {
      const pressed = await scene.fire();
      await scene.haveButtons(pressed);
      const { what, kill } = KILLS[round % KILLS.length]!;
      const [meanwhile] = await Promise.all([scene.fire(), kill(scene, pressed, round)]);
      killed[what] += 1;
      await scene.haveButtons(meanwhile);
      scene.press(...meanwhile);
      await scene.areSeen([...pressed, ...meanwhile]);
      onKill?.(round + 1, scene.ids.length);
    }
    const { result, mistakes } = await scene.compare(killed.bridge + killed.services);
    return { ...result, kills: killed, times: times.sort((a, b) => a - b), mistakes };
  } finally {
    await scene.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param pressed alerts whose buttons are not pressed yet */
type Kill = (scene: PressesScene, pressed: readonly number[], round: number) => Promise<void>;

const KILLS: readonly { what: 'bridge' | 'services'; kill: Kill }[] = [
  {
    // Before the presses are processed, or in between.
    what: 'bridge',
    async kill(scene, pressed, round) {
      scene.press(...pressed);
      await wait((29 * round) % 256);
      await scene.bridge.kill();
      await scene.bridge.start();
    },
  },
  {
    // A response is cut at its first byte: the service has done what it was asked for.
    what: 'services',
    async kill(scene, pressed) {
      const before = scene.cuts();
      scene.set('cut');
      scene.press(...pressed);
      await until(
        () => scene.cuts() > before,
        () => 'no response is cut'
      );
      scene.set('open');
    },
  },
  {
    // After they have taken effect.
    what: 'bridge',
    async kill(scene, pressed, round) {
      scene.press(...pressed);
      await scene.areSeen(pressed);
      await anotherMoment(round);
      await scene.bridge.kill();
      await scene.bridge.start();
    },
  },
  {
    what: 'services',
    async kill(scene, pressed, round) {
      scene.press(...pressed);
      await anotherMoment(round);
      scene.set('closed');
      await wait(DOWN_MS);
      scene.set('open');
    },
  },
];
