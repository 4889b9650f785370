import { describe, expect, it } from 'vitest';
import { KEPT_SAMPLES, ratesOf, type Sample, secondsLeft, withSample } from './rates.ts';

const SECOND = 1000;

/** Samples each `every` seconds, of what a function says of the time in minutes. */
function sampled(
  count: number,
  every: number,
  at: (minutes: number, index: number) => { current: number; behind?: number }
): readonly Sample[] {
  let samples: readonly Sample[] = [];
  for (let index = 0; index < count; index += 1) {
    const { current, behind } = at((index * every) / 60, index);
    samples = withSample(samples, { at: index * every * SECOND, current, behind });
  }
  return samples;
}

describe('the rate', () => {
  it('of a steady node', () => {
    const samples = sampled(20, 15, (minutes) => ({ current: 5240 * minutes, behind: 1_000_000 - 5235 * minutes }));
    expect(ratesOf(samples).rate).toBeCloseTo(5240);
    expect(ratesOf(samples).closing).toBeCloseTo(5235);
    expect(secondsLeft(523_500, ratesOf(samples))).toBe(6000);
  });

  it('is robust against bursts and pauses', () => {
    const samples = sampled(20, 15, (minutes, index) => ({ current: 100 * minutes + (index >= 10 ? 50_000 : 0) }));
    expect(ratesOf(samples).rate).toBeGreaterThan(90);
    expect(
      ratesOf(sampled(20, 15, (minutes, index) => ({ current: index === 19 ? 10_000 : 100 * minutes }))).rate
    ).toBeCloseTo(100);
    const paused = sampled(20, 15, (minutes, index) => ({
      current: 100 * (index < 10 ? minutes : Math.max(2.25, minutes - 1)),
    }));
    expect(ratesOf(paused).rate).toBeGreaterThan(70);
  });

  it('is unknown without enough samples', () => {
    expect(ratesOf([])).toEqual({ rate: undefined, closing: undefined });
    expect(ratesOf(sampled(3, 60, (minutes) => ({ current: minutes }))).rate).toBeUndefined();
    expect(ratesOf(sampled(4, 12, (minutes) => ({ current: minutes }))).rate).toBeUndefined();
    expect(ratesOf(sampled(4, 15, (minutes) => ({ current: minutes }))).rate).toBeCloseTo(1);
  });

  it('is reset when the chain is restarted', () => {
    const before = sampled(10, 15, (minutes) => ({ current: 1000 + minutes }));
    expect(withSample(before, { at: 1e9, current: 5, behind: undefined })).toHaveLength(1);
  });

  it('keeps few samples with an interval of a second as well', () => {
    expect(sampled(1000, 15, (minutes) => ({ current: minutes }))).toHaveLength(KEPT_SAMPLES);
    const often = sampled(600, 1, (minutes) => ({ current: 60 * minutes }));
    expect(often.length).toBeLessThanOrEqual(KEPT_SAMPLES);
    expect(ratesOf(often).rate).toBeCloseTo(60);
    expect(often.at(-1)!.at - often[0]!.at).toBeGreaterThan(60 * SECOND);
  });
});

describe('the time left', () => {
  it.each([
    ['no figures', undefined, 5],
    ['no rate', 100, undefined],
    ['standing still', 100, 0],
    ['falling back', 100, -5],
    ['years', 1e9, 0.001],
  ])('is unknown with %s', (_what, behind, closing) => {
    expect(secondsLeft(behind, { rate: 1, closing })).toBeNull();
  });

  it('is blocks behind divided by the catch-up rate', () => {
    expect(secondsLeft(100, { rate: 50, closing: 25 })).toBe(240);
    expect(secondsLeft(0, { rate: 50, closing: 25 })).toBe(0);
  });
});
