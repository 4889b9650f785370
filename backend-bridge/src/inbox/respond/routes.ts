/** Operations of people on threads: acknowledge, comment, snooze, assign. 404: no such notification; 409: a limit is reached. */
import type { Response } from 'express';
import type { RESPOND } from '../../../contract/api/respond.ts';
import type { Actor } from '../../../contract/audit.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { Assignee, SnoozeBody } from '../../../contract/respond.ts';
import { includesRole } from '../../../contract/roles.ts';
import type { Person } from '../../platform/http/guard.ts';
import { HttpProblem, invalid, notificationNotFound } from '../../platform/http/problem.ts';
import { readUntil } from '../../platform/http/query.ts';
import { sendRead } from '../../platform/http/sendRead.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import { readDetail } from '../notifications/reads.ts';
import { selectedBy } from '../notifications/routes.ts';
import type { Readers } from '../readers/service.ts';
import type { Reader } from '../readers/writes.ts';
import type { Core } from '../../platform/core/area.ts';
import type { Responding } from './service.ts';

export interface RespondDeps extends Pick<Core, 'reads' | 'now'> {
  responding: Responding;
  readers: Readers;
  /** @param prefix of their keys; undefined: all */
  people: (prefix: string | undefined) => Promise<Assignee[]>;
}

type RespondOperations = Omit<
  typeof RESPOND,
  'listSilences' | 'changeSilence' | 'previewSilence' | 'recordSilence' | 'saveSilence' | 'endSilence'
>;

/** Who asks, and who is recorded. */
interface Caller {
  person: Person | undefined;
  by: Actor;
  res: Response;
}

type Of<K extends keyof RespondOperations> = Handlers<Pick<RespondOperations, K>>;

export function respondHandlers(deps: RespondDeps): Handlers<RespondOperations> {
  const sendDetail = async (id: number, { person, res }: Caller): Promise<void> => {
    const args = { id, reader: (await deps.readers.of(person))?.id, me: person?.key };
    if (!(await sendRead(deps.reads, res, readDetail, args))) {
      notificationNotFound();
    }
  };
  const parts = { ...deps, sendDetail };
  return {
    ...acknowledgeHandlers(parts),
    ...commentHandlers(parts),
    ...snoozeHandlers(parts),
    ...assignHandlers(parts),
  };
}

interface Parts extends RespondDeps {
  /** Responds with the notification and its thread. @throws HttpProblem 404 */
  sendDetail: (id: number, caller: Caller) => Promise<void>;
}

function acknowledgeHandlers({
  responding,
  readers,
  sendDetail,
}: Parts): Of<'acknowledgeNotifications' | 'acknowledgeNotification' | 'unacknowledgeNotification'> {
  const acknowledge = async (
    id: number,
    acknowledged: boolean,
    comment: string | undefined,
    caller: Caller
  ): Promise<void> => {
    const act = { acknowledged, comment, by: caller.by, reader: await readers.of(caller.person) };
    await responding.acknowledge({ ids: [id] }, act);
    return sendDetail(id, caller);
  };
  return {
    async acknowledgeNotifications({ body: { comment, acknowledged = true, ...body }, person, by }) {
      const act = { acknowledged, comment, by, reader: await readers.of(person) };
      return responding.acknowledge(await selectedBy(body, person, readers), act);
    },
    acknowledgeNotification: ({ params, body, ...caller }) => acknowledge(params.id, true, body?.comment, caller),
    unacknowledgeNotification: ({ params, ...caller }) => acknowledge(params.id, false, undefined, caller),
  };
}

function commentHandlers({ responding, sendDetail }: Parts): Of<'addComment' | 'editComment' | 'deleteComment'> {
  const changeComment = async (id: number, text: string | undefined, { person, by }: Caller): Promise<void> => {
    const others = person && text === undefined && includesRole(person.role, 'Admin') ? orgPrefix(person) : undefined;
    const result = await responding.changeComment(id, text, by, person ? others : '');
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
  };
  return {
    async addComment({ params, body, ...caller }) {
      const result = await responding.comment(params.id, body.text.trim(), caller.by);
      if (result === 'full') {
        throw new HttpProblem('conflict', `A thread has at most ${LIMITS.threadComments.value} comments.`);
      }
      return result === 'absent'
        ? notificationNotFound()
        : sendDetail(params.id, { ...caller, res: caller.res.status(201) });
    },
    editComment: ({ params, body, ...caller }) => changeComment(params.id, body.text.trim(), caller),
    deleteComment: ({ params, ...caller }) => changeComment(params.id, undefined, caller),
  };
}

function snoozeHandlers({
  responding,
  readers,
  sendDetail,
  now,
}: Parts): Of<'snoozeNotifications' | 'snoozeNotification' | 'setSnooze' | 'unsnoozeNotification'> {
  const snoozeOf = async ({ until, for: whose }: SnoozeBody, { person, by }: Caller) => ({
    reader: ownerOf(whose, person, await readers.of(person)),
    until: until === null ? null : readUntil(until, LIMITS.snoozeDays.value, now()),
    by,
  });
  const snooze = async (id: number, body: SnoozeBody, caller: Caller): Promise<void> => {
    const result = await responding.snooze({ ids: [id] }, await snoozeOf(body, caller));
    return result === 'full' ? tooMany() : sendDetail(id, caller);
  };
  return {
    async snoozeNotifications({ body: { ids, filter, ...body }, ...caller }) {
      const act = await snoozeOf(body, caller);
      const result = await responding.snooze(await selectedBy({ ids, filter }, caller.person, readers), act);
      return result === 'full' ? tooMany() : result;
    },
    snoozeNotification: ({ params, body, ...caller }) => snooze(params.id, body, caller),
    setSnooze: ({ params, body, ...caller }) => snooze(params.id, body, caller),
    unsnoozeNotification: ({ params, ...caller }) => snooze(params.id, { until: null }, caller),
  };
}

function assignHandlers({
  responding,
  readers,
  people,
  sendDetail,
}: Parts): Of<'assignNotifications' | 'assignNotification' | 'unassignNotification' | 'listPeople'> {
  const assign = async (id: number, assignee: string | null, caller: Caller): Promise<void> => {
    const result = await responding.assign({ ids: [id] }, { assignee, by: caller.by });
    return result === 'unknown' ? unknownPerson(assignee) : sendDetail(id, caller);
  };
  return {
    async assignNotifications({ body: { ids, filter, assignee: given }, person, by }) {
      const assignee = keyOf(given, person);
      const result = await responding.assign(await selectedBy({ ids, filter }, person, readers), { assignee, by });
      return result === 'unknown' ? unknownPerson(assignee) : result;
    },
    assignNotification: ({ params, body, ...caller }) => assign(params.id, keyOf(body.assignee, caller.person), caller),
    unassignNotification: ({ params, ...caller }) => assign(params.id, null, caller),
    async listPeople({ person }) {
      // Stores the person, so that the list contains it.
      await readers.of(person);
      const known = await people(person && orgPrefix(person));
      return { people: known, ...(person && !person.anonymous && { me: person.key }) };
    },
  };
}

/** @param assignee `me`: the requesting person */
const keyOf = (assignee: string | null, person: Person | undefined): string | null =>
  assignee === 'me' ? (person?.key ?? assignee) : assignee;

/** Undefined: for all. */
function ownerOf(
  whose: 'me' | 'all' | undefined,
  person: Person | undefined,
  reader: Reader | undefined
): Reader | undefined {
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
