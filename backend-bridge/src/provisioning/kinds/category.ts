/** Categories, switched on or off. */
import { CATEGORIES } from '../../../contract/api/categories.ts';
import { z } from 'zod';
import { foldCategory } from '../../../contract/notification.ts';
import { categorySchema } from '../../../contract/query.ts';
import { findBadText } from '../../../contract/text.ts';
import { type Kind, keyed, onOff, ownersOf, settingChange } from './kind.ts';

export interface WantedCategory {
  category: string;
  enabled: boolean;
}

export const categories: Kind<'categories', [name: string, enabled: boolean], WantedCategory, boolean> = {
  name: 'category',
  member: 'categories',
  entries: (file) => keyed('categories', file.categories),
  load([name, enabled], { at }) {
    const base = { rule: 'text', verdict: 'error', title: 'Cannot be stored' } as const;
    const findings = findBadText(name).map(({ detail }) => at([], { ...base, detail }));
    return Promise.resolve({ findings, names: [], wanted: { category: foldCategory(name), enabled } });
  },
  unique: ([name]) => [claimOf(name)],
  claim: ({ category }) => claimOf(category),
  async owners(deps) {
    const all = await deps.categories();
    return ownersOf(all.flatMap(({ category, file }) => (file === undefined ? [] : [[category, file] as const])));
  },
  stored: (wanted) => wanted,
  dryRun: {
    async inUse(get) {
      const all = await get(CATEGORIES.listCategories, z.array(categorySchema));
      return all.map(({ category, enabled, file }) => ({ key: category, file, value: enabled }));
    },
    key: ({ category }) => category,
    difference({ enabled }, before, { file }) {
      const owner = before?.file;
      const texts = [onOff(before?.value ?? true), onOff(enabled)] as const;
      return settingChange(texts, { isSet: owner !== undefined, owner, file, done: 'switched' });
    },
    removal: ({ value }) => (value ? 'stays on' : 'off → on'),
  },
};

const claimOf = (name: string) => ({ key: foldCategory(name), label: `The category ${JSON.stringify(name)}` });
