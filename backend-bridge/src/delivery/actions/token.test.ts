import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MESSAGE_ACTIONS } from '../../../contract/messageAction.ts';
import { MINUTE_MS } from '../../../contract/time.ts';
import { openVault, type Vault } from '../../platform/access/vault.ts';
import { channelTag, readToken, signToken } from './token.ts';

const vaultOf = (secretKey: string): Vault => openVault({ dataDir: '', secretKey })!;
const VAULT = vaultOf('a-key-of-this-bridge');
const CHANNEL = { name: 'chat', type: 'telegram', target: 'api.telegram.org' } as const;
const token = fc.record({
  action: fc.constantFrom(...MESSAGE_ACTIONS),
  notification: fc.integer({ min: 1, max: 2 ** 48 - 1 }),
  channel: fc.constant(channelTag(CHANNEL)),
  epoch: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
  expires: fc.integer({ min: 0, max: 2 ** 32 - 1 }).map((minutes) => minutes * MINUTE_MS),
});

describe('a token', () => {
  test('is read as it was signed, and fits into 64 bytes', () => {
    fc.assert(
      fc.property(token, (given) => {
        const signed = signToken(VAULT, given);
        expect(readToken(VAULT, signed)).toEqual(given);
        expect(signed).toMatch(/^[\w-]{1,64}$/);
      })
    );
  });

  test('with any bit changed is invalid', () => {
    fc.assert(
      fc.property(token, fc.nat(42 * 8 - 1), (given, bit) => {
        const bytes = Buffer.from(signToken(VAULT, given), 'base64url');
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        expect(readToken(VAULT, bytes.toString('base64url'))).toBeUndefined();
      })
    );
  });

  test.each([
    ['text', 'hello'],
    ['nothing', ''],
    ['random bytes', randomBytes(42).toString('base64url')],
    [
      'that of another bridge',
      signToken(vaultOf('the-key-of-another-bridge'), { ...sample(), channel: channelTag(CHANNEL) }),
    ],
    ['a token with more behind it', `${signToken(VAULT, sample())}AA`],
    ['a token in another spelling', `${signToken(VAULT, sample())}=`],
  ])('that is %s is invalid', (_, given) => {
    expect(readToken(VAULT, given)).toBeUndefined();
  });

  test('of a channel is not that of the same name with another target', () => {
    expect(channelTag({ ...CHANNEL, target: 'other.example.org' })).not.toBe(channelTag(CHANNEL));
  });
});

function sample() {
  return {
    action: 'resolve',
    notification: 7,
    channel: channelTag(CHANNEL),
    epoch: 5,
    expires: 60 * MINUTE_MS,
  } as const;
}
