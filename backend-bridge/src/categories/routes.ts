/** The paths below /categories: the switch of each category. */
import { Router } from 'express';
import { LIMITS } from '../../contract/limits.ts';
import { foldCategory } from '../../contract/notification.ts';
import { categoryBodySchema } from '../../contract/query.ts';
import { findBadText, fitsBytes, show } from '../../contract/text.ts';
import { actorOf } from '../audit/actor.ts';
import type { Guard } from '../http/auth.ts';
import { jsonBody } from '../http/body.ts';
import { HttpProblem, invalid } from '../http/problem.ts';
import { readBody } from '../http/query.ts';
import { joinSegments } from '../http/security.ts';
import type { Inbox } from '../notifications/inbox.ts';
import { sendRead } from '../http/sendRead.ts';
import { readCategories } from '../notifications/reads.ts';
import type { NotificationStore } from '../notifications/store.ts';
import type { Readers } from '../readers/service.ts';
import type { Reads } from '../storage/read.ts';

export interface CategoryRouteDeps {
  guard: Guard;
  inbox: Pick<Inbox, 'setCategory'>;
  store: Pick<NotificationStore, 'categories'>;
  reads: Reads;
  readers: Readers;
}

export function categoryRoutes({ guard, inbox, store, reads, readers }: CategoryRouteDeps): Router {
  const router = Router();
  router.get('/', guard.admin, async (_req, res) => {
    await sendRead(reads, res, readCategories, { reader: (await readers.of(res.locals.person))?.id });
  });
  router.put('/*category', guard.admin, ...jsonBody(), async (req, res) => {
    const category = foldCategory(joinSegments(req.params.category));
    const { enabled } = readBody(req.body, categoryBodySchema);
    const mistakes = findBadText(category);
    if (!fitsBytes(category, LIMITS.nameBytes.value)) {
      const allowed = `a category of at most ${LIMITS.nameBytes.value} bytes`;
      const detail = `The category in the path is too long; allowed is ${allowed}.`;
      throw invalid([{ pointer: 'path', found: show(category), allowed, detail }], 'the path');
    }
    if (mistakes.length > 0) {
      throw invalid(mistakes, 'the path');
    }
    const { conflict } = await inbox.setCategory(category, enabled, actorOf(req, res));
    if (conflict !== null) {
      throw new HttpProblem('conflict', `This category is provisioned by ${conflict}; it can be changed only there.`);
    }
    const reader = await readers.of(res.locals.person);
    const known = (await store.categories(reader?.id)).find((one) => one.category === category);
    res.json(known ?? { category, enabled, count: 0, unseen: 0 });
  });
  return router;
}
