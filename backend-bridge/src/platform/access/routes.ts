/** Operations on sender tokens and the admin token. */
import type { Response } from 'express';
import type { ADMIN_TOKEN, TOKENS } from '../../../contract/api/tokens.ts';
import { findBadText, show } from '../../../contract/text.ts';
import { HOUR_MS } from '../../../contract/time.ts';
import { DEFAULT_GRACE_HOURS, type Token } from '../../../contract/token.ts';
import type { RecordChange } from '../audit/record.ts';
import { HttpProblem, invalid } from '../http/problem.ts';
import type { Handlers } from '../http/serve.ts';
import type { AdminToken } from './adminToken.ts';
import type { Senders } from './service.ts';

export const tokenHandlers = (
  senders: Pick<Senders, 'list' | 'create' | 'rotate' | 'revoke'>,
  heartbeats: { of(sender: string): Token['heartbeat'] }
): Handlers<typeof TOKENS> => ({
  listTokens: () =>
    senders.list().map((token) => {
      const heartbeat = token.revokedAt === null ? heartbeats.of(token.name) : undefined;
      return heartbeat ? { ...token, heartbeat } : token;
    }),
  async createToken({ body, by, res }) {
    const mistakes = findBadText(body);
    if (mistakes.length > 0) {
      throw invalid(mistakes, 'the body');
    }
    const token = await senders.create(body, by);
    secret(res).set('Location', `/api/v1/tokens/${token.id}`);
    return token;
  },
  async rotateToken({ params: { id }, body = {}, by, res }) {
    secret(res);
    return (await senders.rotate(id, body, by)) ?? unknownToken(id);
  },
  revokeToken: async ({ params: { id }, by }) => (await senders.revoke(id, by)) ?? unknownToken(id),
});

function unknownToken(id: string): never {
  throw new HttpProblem('not-found', `There is no token with the id ${show(id)}. GET /api/v1/tokens lists them.`);
}

/** The response holds a token, this once: nothing on the way may keep it (RFC 9111, section 5.2.2.5). */
const secret = (res: Response): Response => res.set('Cache-Control', 'no-store');

export interface AdminTokenDeps {
  token: AdminToken;
  record: RecordChange;
  /** UTC milliseconds. */
  now: () => number;
}

export const adminTokenHandlers = ({ token, record, now }: AdminTokenDeps): Handlers<typeof ADMIN_TOKEN> => ({
  getAdminToken: () => token.state(),
  async rotateAdminToken({ body: { graceHours = DEFAULT_GRACE_HOURS } = {}, by, res }) {
    token.requireFile();
    const until = now() + graceHours * HOUR_MS;
    const after = { previousValidUntil: new Date(until).toISOString() };
    // Recorded first, since a file cannot be part of the transaction.
    await record({ by, action: 'admin-token.rotate', object: 'admin', after });
    secret(res);
    return { token: token.rotate(until), ...token.state() };
  },
});
