/** How many event streams there may be: in total, of each person, and of everybody without an identity. */
import type { Person } from '../http/identity.ts';
import { HttpProblem } from '../http/problem.ts';

export interface PlaceLimits {
  inTotal: number;
  ofPerson: number;
  unidentified: number;
}

export interface Places {
  /**
   * Takes a place for a stream.
   * @param person undefined: the request names nobody
   * @returns gives the place back; to be called once
   * @throws HttpProblem 503 when there is none left
   */
  take(person: Person | undefined): () => void;
}

/** Anonymous visitors are one person to Grafana, and scripts with the admin token are nobody. */
const UNIDENTIFIED = '';

export function createPlaces(limits: PlaceLimits): Places {
  const taken = new Map<string, number>();
  let total = 0;
  return {
    take(person) {
      const key = person === undefined || person.anonymous ? UNIDENTIFIED : person.key;
      const own = taken.get(key) ?? 0;
      if (key === UNIDENTIFIED && own >= limits.unidentified) {
        throw full(`${own} event streams without an identity are open, the maximum.`);
      }
      if (key !== UNIDENTIFIED && own >= limits.ofPerson) {
        throw full(`You have ${own} event streams open, the maximum for one person.`);
      }
      if (total >= limits.inTotal) {
        throw full(`${total} event streams are open, the maximum.`);
      }
      taken.set(key, own + 1);
      total += 1;
      return () => {
        total -= 1;
        const left = (taken.get(key) ?? 1) - 1;
        if (left > 0) {
          taken.set(key, left);
        } else {
          taken.delete(key);
        }
      };
    },
  };
}

function full(found: string): HttpProblem {
  return new HttpProblem('unavailable', `${found} Poll GET /notifications until one is closed.`, {
    headers: { 'Retry-After': '30' },
  });
}
