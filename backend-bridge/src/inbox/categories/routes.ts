/** Operations on categories. */
import type { CATEGORIES } from '../../../contract/api/categories.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { foldCategory } from '../../../contract/notification.ts';
import { findBadText, fitsBytes, show } from '../../../contract/text.ts';
import { HttpProblem, invalid } from '../../platform/http/problem.ts';
import { sendRead } from '../../platform/http/sendRead.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import { readCategories } from '../notifications/reads.ts';
import type { NotificationStore } from '../notifications/store.ts';
import type { Readers } from '../readers/service.ts';
import type { Core } from '../../platform/core/area.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { setCategory } from './writes.ts';

export interface CategoryDeps extends Pick<Core, 'reads' | 'now'> {
  writes: Pick<WriteQueue, 'submit'>;
  store: Pick<NotificationStore, 'categories'>;
  readers: Readers;
}

export const categoryHandlers = ({
  writes,
  store,
  reads,
  readers,
  now,
}: CategoryDeps): Handlers<typeof CATEGORIES> => ({
  async listCategories({ person, res }) {
    await sendRead(reads, res, readCategories, { reader: (await readers.of(person))?.id });
  },
  async switchCategory({ params, body: { enabled }, person, by }) {
    const category = foldCategory(params.category);
    const mistakes = findBadText(category);
    if (!fitsBytes(category, LIMITS.nameBytes.value)) {
      const allowed = `a category of at most ${LIMITS.nameBytes.value} bytes`;
      const detail = `The category in the path is too long; allowed is ${allowed}.`;
      throw invalid([{ pointer: 'path', found: show(category), allowed, detail }], 'the path');
    }
    if (mistakes.length > 0) {
      throw invalid(mistakes, 'the path');
    }
    const { conflict } = await writes.submit(setCategory, { category, enabled, by, now: now() });
    if (conflict !== null) {
      throw new HttpProblem('conflict', `This category is provisioned by ${conflict}; it can be changed only there.`);
    }
    const known = (await store.categories((await readers.of(person))?.id)).find((one) => one.category === category);
    return known ?? { category, enabled, count: 0, unseen: 0 };
  },
});
