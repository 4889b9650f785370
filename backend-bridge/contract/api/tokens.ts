/** Operations: sender tokens and the admin token. */
import {
  adminTokenSchema,
  rotatedAdminTokenSchema,
  createdTokenSchema,
  rotateBodySchema,
  tokenBodySchema,
  tokenListSchema,
  tokenSchema,
} from '../token.ts';
import { NOT_PROXIED, created, del, get, json, ok, operations, optionalJson, post, segment } from '../operation.ts';

export const TOKENS = operations('Senders', {
  listTokens: get('/tokens', 'bridge:admin', {
    summary: 'Sender tokens, without the tokens themselves',
    reply: ok('The tokens.', () => tokenListSchema),
  }),
  createToken: post('/tokens', 'bridge:admin', {
    summary: 'Make a sender token; it is shown this once',
    body: json(() => tokenBodySchema),
    reply: created('The token.', () => createdTokenSchema),
    problems: [409],
  }),
  revokeToken: del('/tokens/{id}', 'bridge:admin', {
    summary: 'Revoke a sender token',
    params: { id: segment('The id of a token.') },
    reply: ok('The changed token.', () => tokenSchema),
    problems: [404, 409],
  }),
  rotateToken: post('/tokens/{id}/rotate', 'bridge:admin', {
    summary: 'Replace a sender token; the old one remains valid for a grace period. The new one is shown this once',
    params: { id: segment('The id of a token.') },
    body: optionalJson(() => rotateBodySchema),
    reply: ok('The token.', () => createdTokenSchema),
    problems: [404, 409],
  }),
});

export const ADMIN_TOKEN = operations('Service', {
  getAdminToken: get('/admin-token', 'bridge:admin', {
    summary: 'The state of the admin token, without the token itself',
    reply: ok('The state.', () => adminTokenSchema),
  }),
  rotateAdminToken: post('/admin-token/rotate', NOT_PROXIED, {
    summary: 'Replace the admin token; the old one remains valid for a grace period. Configure the new one in Grafana',
    body: optionalJson(() => rotateBodySchema),
    reply: ok('The new token.', () => rotatedAdminTokenSchema),
    problems: [409],
  }),
});
