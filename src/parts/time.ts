/** Times in words. Pure: the present is passed in. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long something lasted or has lasted: "33 min", "1 h 8 min", "2 d 3 h". */
export function duration(ms: number): string {
  const length = Math.max(0, ms);
  if (length < MINUTE) {
    return `${Math.floor(length / SECOND)} s`;
  }
  if (length < HOUR) {
    return `${Math.floor(length / MINUTE)} min`;
  }
  if (length < DAY) {
    return join(Math.floor(length / HOUR), 'h', Math.floor((length % HOUR) / MINUTE), 'min');
  }
  return join(Math.floor(length / DAY), 'd', Math.floor((length % DAY) / HOUR), 'h');
}

function join(big: number, bigUnit: string, small: number, smallUnit: string): string {
  return small > 0 ? `${big} ${bigUnit} ${small} ${smallUnit}` : `${big} ${bigUnit}`;
}

/**
 * How long ago, in the shortest words: "now", "6 min", "3 h", "5 d".
 * @returns undefined after a week, when a date says more
 */
export function ago(timestamp: string, now: number): string | undefined {
  const age = now - Date.parse(timestamp);
  if (age < MINUTE) {
    return 'now';
  }
  if (age < HOUR) {
    return `${Math.floor(age / MINUTE)} min`;
  }
  if (age < DAY) {
    return `${Math.floor(age / HOUR)} h`;
  }
  return age < 7 * DAY ? `${Math.floor(age / DAY)} d` : undefined;
}
