/** Search over rules, and their folders. Pure. */
import type { Rule } from './rule';
import { finder } from '../../components/folded';

/** Rules of a folder; `rules` has those that match. */
export interface Folder {
  name: string;
  rules: readonly Rule[];
}

/** Every term must occur in title, folder, group or uid. */
export function searchRules(rules: readonly Rule[], q: string): Folder[] {
  const isFound = finder(q);
  const folders = new Map<string, Rule[]>();
  for (const rule of rules) {
    if (isFound([rule.title, rule.folder, rule.group, rule.uid])) {
      folders.set(rule.folder, [...(folders.get(rule.folder) ?? []), rule]);
    }
  }
  return [...folders].map(([name, found]) => ({ name, rules: found }));
}
