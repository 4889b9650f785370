/** @param epoch UTC milliseconds at which it shows the real time @returns reads the clock, UTC milliseconds */
export const fastClock =
  (epoch: number, speed: number): (() => number) =>
  () =>
    Math.floor(epoch + (Date.now() - epoch) * speed);
