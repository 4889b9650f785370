/** Search over rules, and their folders. Pure. */
import type { Rule } from './rule';

/** Rules of a folder; `rules` has those that match. */
export interface Folder {
  name: string;
  rules: readonly Rule[];
}

const folded = (text: string) => text.normalize('NFKC').toLowerCase();

/** Every term must occur in title, folder, group or uid. */
export function searchRules(rules: readonly Rule[], q: string): Folder[] {
  const terms = folded(q).split(/\s+/).filter(Boolean);
  const folders = new Map<string, Rule[]>();
  for (const rule of rules) {
    const text = folded([rule.title, rule.folder, rule.group, rule.uid].join('\n'));
    if (terms.every((term) => text.includes(term))) {
      folders.set(rule.folder, [...(folders.get(rule.folder) ?? []), rule]);
    }
  }
  return [...folders].map(([name, found]) => ({ name, rules: found }));
}
