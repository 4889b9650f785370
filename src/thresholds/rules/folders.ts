/** Search over rules, and their folders. Pure. */
import type { Rule } from './rule';
import { folded } from '../../components/folded';

/** Rules of a folder; `rules` has those that match. */
export interface Folder {
  name: string;
  rules: readonly Rule[];
}

/** Whether every term of a search occurs in one of some texts. */
export function finder(q: string): (texts: readonly string[]) => boolean {
  const terms = folded(q).split(/\s+/).filter(Boolean);
  return (texts) => {
    const text = folded(texts.join('\n'));
    return terms.every((term) => text.includes(term));
  };
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
