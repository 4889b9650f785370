/** What people do with threads, over HTTP. */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { LIMITS, DAY_MS } from '../../contract/limits.ts';
import { filterSchema } from '../../contract/query.ts';
import {
  acknowledgeBodySchema,
  acknowledgeManySchema,
  type Assignee,
  assignBodySchema,
  assignManySchema,
  commentBodySchema,
  type SnoozeBody,
  snoozeBodySchema,
  snoozeManySchema,
} from '../../contract/respond.ts';
import { includesRole } from '../../contract/roles.ts';
import { actorOf } from '../audit/actor.ts';
import type { Guard } from '../http/auth.ts';
import { jsonBody } from '../http/body.ts';
import type { Person } from '../http/identity.ts';
import { HttpProblem, invalid } from '../http/problem.ts';
import { readBody, readFilter, readId } from '../http/query.ts';
import { sendRead } from '../http/sendRead.ts';
import { readDetail } from '../notifications/reads.ts';
import { ofMe } from '../notifications/routes.ts';
import type { Readers } from '../readers/service.ts';
import type { Reader } from '../readers/writes.ts';
import type { Reads } from '../storage/read.ts';
import type { Responding } from './service.ts';

export interface RespondRouteDeps {
  guard: Guard;
  responding: Responding;
  reads: Reads;
  readers: Readers;
  /** @param prefix of their keys; undefined: all */
  people: (prefix: string | undefined) => Promise<Assignee[]>;
  /** UTC milliseconds. */
  now: () => number;
}

/** Acknowledging, commenting, snoozing and assigning, below `/notifications`. 404: no such notification; 409: a limit is reached. */
export function respondRoutes(deps: RespondRouteDeps): Router {
  const { reads, readers } = deps;
  const router = Router();
  const readerOf = (res: Response) => readers.of(res.locals.person);
  const sendDetail = async (id: number, res: Response, status = 200): Promise<void> => {
    const reader = (await readerOf(res))?.id;
    const found = await sendRead(reads, res.status(status), readDetail, { id, reader, me: res.locals.person?.key });
    if (!found) {
      absent();
    }
  };
  const parts: Parts = { ...deps, readerOf, sendDetail };
  acknowledgeRoutes(router, parts);
  commentRoutes(router, parts);
  snoozeRoutes(router, parts);
  assignRoutes(router, parts);
  return router;
}

interface Parts extends RespondRouteDeps {
  readerOf: (res: Response) => Promise<Reader | undefined>;
  /** The notification with its thread as it is now. */
  sendDetail: (id: number, res: Response, status?: number) => Promise<void>;
}

const idOf = (req: Request): number => readId(String(req.params.id));

function acknowledgeRoutes(router: Router, { guard, responding, readerOf, sendDetail }: Parts): void {
  router.post('/notifications/acknowledge', guard.admin, ...jsonBody(), async (req, res) => {
    const { ids, filter, comment, acknowledged = true } = readBody(req.body, acknowledgeManySchema);
    const act = { acknowledged, comment, by: actorOf(req, res), reader: await readerOf(res) };
    if (ids) {
      const { found: _found, ...result } = await responding.acknowledge(ids, act);
      res.json(result);
    } else {
      const selection = ofMe(readFilter(filter ?? {}, filterSchema), res);
      res.json(await responding.acknowledgeMatching(selection, act));
    }
  });

  const acknowledge =
    (acknowledged: boolean): RequestHandler =>
    async (req, res) => {
      const { comment } = req.body === undefined ? {} : readBody(req.body, acknowledgeBodySchema);
      const act = { acknowledged, comment, by: actorOf(req, res), reader: await readerOf(res) };
      const { found } = await responding.acknowledge([idOf(req)], act);
      await (found === 0 ? absent() : sendDetail(idOf(req), res));
    };
  router.post('/notifications/:id/acknowledge', guard.admin, ...jsonBody({ optional: true }), acknowledge(true));
  router.delete('/notifications/:id/acknowledge', guard.admin, acknowledge(false));
}

function commentRoutes(router: Router, { guard, responding, sendDetail }: Parts): void {
  router.post('/notifications/:id/comments', guard.admin, ...jsonBody(), async (req, res) => {
    const { text } = readBody(req.body, commentBodySchema);
    const result = await responding.comment(idOf(req), text.trim(), actorOf(req, res));
    if (result === 'full') {
      throw new HttpProblem('conflict', `A thread has at most ${LIMITS.threadComments.value} comments.`);
    }
    await (result === 'absent' ? absent() : sendDetail(idOf(req), res, 201));
  });

  const changeComment = async (req: Request, res: Response, text: string | undefined): Promise<void> => {
    const person: Person | undefined = res.locals.person;
    const others = person && text === undefined && includesRole(person.role, 'Admin') ? orgPrefix(person) : undefined;
    const result = await responding.changeComment(idOf(req), text, actorOf(req, res), person ? others : '');
    if (result === 'absent') {
      throw new HttpProblem('not-found', 'Comment not found; it may have been deleted.');
    }
    if (result === 'foreign') {
      const rule =
        text === undefined
          ? "its author and admins of its author's organization can delete it"
          : 'its author can edit it';
      throw new HttpProblem('forbidden', `This comment was written by somebody else: only ${rule}.`);
    }
    res.status(204).end();
  };
  router.put('/comments/:id', guard.admin, ...jsonBody(), (req, res) =>
    changeComment(req, res, readBody(req.body, commentBodySchema).text.trim())
  );
  router.delete('/comments/:id', guard.admin, (req, res) => changeComment(req, res, undefined));
}

function snoozeRoutes(router: Router, { guard, responding, readerOf, sendDetail, now }: Parts): void {
  const actOf = async (req: Request, res: Response, { until, for: whose }: SnoozeBody) => ({
    reader: ownerOf(whose, res, await readerOf(res)),
    until: until === null ? null : readEnd(until, now()),
    by: actorOf(req, res),
  });
  router.put('/notifications/snooze', guard.admin, ...jsonBody(), async (req, res) => {
    const { ids, filter, ...body } = readBody(req.body, snoozeManySchema);
    const act = await actOf(req, res, body);
    const result = ids
      ? await responding.snoozeMany(ids, act)
      : await responding.snoozeMatching(ofMe(readFilter(filter ?? {}, filterSchema), res), act, await readerOf(res));
    res.json(result === 'full' ? tooMany() : result);
  });

  const snooze = async (req: Request, res: Response, body: SnoozeBody): Promise<void> => {
    const { until, by, reader } = await actOf(req, res, body);
    const result = await responding.snooze(idOf(req), until, by, reader);
    await (result === 'full' ? tooMany() : result === 'absent' ? absent() : sendDetail(idOf(req), res));
  };
  const byBody: RequestHandler = (req, res) => snooze(req, res, readBody(req.body, snoozeBodySchema));
  router.post('/notifications/:id/snooze', guard.admin, ...jsonBody(), byBody);
  router.put('/notifications/:id/snooze', guard.admin, ...jsonBody(), byBody);
  router.delete('/notifications/:id/snooze', guard.admin, (req, res) => snooze(req, res, { until: null }));
}

function assignRoutes(router: Router, { guard, responding, people, readerOf, sendDetail }: Parts): void {
  /** @param assignee `me`: the requesting person */
  const keyOf = (assignee: string | null, res: Response): string | null => {
    const person: Person | undefined = res.locals.person;
    return assignee === 'me' ? (person?.key ?? assignee) : assignee;
  };
  router.post('/notifications/assignee', guard.admin, ...jsonBody(), async (req, res) => {
    const { ids, filter, assignee } = readBody(req.body, assignManySchema);
    const act = { assignee: keyOf(assignee, res), by: actorOf(req, res) };
    const viewer = await readerOf(res);
    const result = ids
      ? await responding.assignMany(ids, act.assignee, act.by)
      : await responding.assignMatching(ofMe(readFilter(filter ?? {}, filterSchema), res), act, viewer);
    res.json(result === 'unknown' ? unknownPerson(act.assignee) : result);
  });

  const assign = async (req: Request, res: Response, assignee: string | null): Promise<void> => {
    const result = await responding.assign(idOf(req), assignee, actorOf(req, res));
    await (result === 'unknown'
      ? unknownPerson(assignee)
      : result === 'absent'
        ? absent()
        : sendDetail(idOf(req), res));
  };
  router.post('/notifications/:id/assignee', guard.admin, ...jsonBody(), (req, res) =>
    assign(req, res, keyOf(readBody(req.body, assignBodySchema).assignee, res))
  );
  router.delete('/notifications/:id/assignee', guard.admin, (req, res) => assign(req, res, null));

  router.get('/people', guard.admin, async (_req, res) => {
    await readerOf(res);
    const person: Person | undefined = res.locals.person;
    const known = await people(person && orgPrefix(person));
    res.json({ people: known, ...(person && !person.anonymous && { me: person.key }) });
  });
}

/** Undefined: of all. */
function ownerOf(whose: 'me' | 'all' | undefined, res: Response, reader: Reader | undefined): Reader | undefined {
  const person: Person | undefined = res.locals.person;
  if (whose !== 'all' && reader !== undefined) {
    return reader;
  }
  if (whose === 'me') {
    throw new HttpProblem('conflict', 'You have no read state of your own: a thread can only be snoozed for all.');
  }
  if (person !== undefined && !includesRole(person.role, 'Editor')) {
    throw new HttpProblem('forbidden', 'Snoozing a thread for all requires the role Editor.');
  }
  return undefined;
}

function readEnd(text: string, now: number): number {
  const until = Date.parse(text);
  const allowed = `in the future, and in at most ${LIMITS.snoozeDays.value} days`;
  if (until <= now || until > now + LIMITS.snoozeDays.value * DAY_MS) {
    throw invalid([{ pointer: '/until', found: text, allowed, detail: `"until" must be ${allowed}; found ${text}.` }]);
  }
  return until;
}

function unknownPerson(assignee: string | null): never {
  const allowed = '`key` of GET /people';
  const detail = `"assignee" must be ${allowed}: a user who has opened the inbox.`;
  throw invalid([{ pointer: '/assignee', found: String(assignee), allowed, detail }]);
}

/** Prefix of the keys of all users in this organization. */
const orgPrefix = ({ orgId }: Person): string => `org:${orgId}/`;

function tooMany(): never {
  throw new HttpProblem('conflict', `At most ${LIMITS.readerSnoozes.value} threads can be snoozed at a time.`);
}

function absent(): never {
  throw new HttpProblem('not-found', 'Notification not found; it may have been deleted.');
}
