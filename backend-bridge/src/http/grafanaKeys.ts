/** Reads the public keys with which Grafana signs identities. */
import type { JSONWebKeySet } from 'jose';
import { z } from 'zod';
import { readAddressRules, rulesForSetting } from './addresses.ts';
import { createOutbound, type Outbound } from './outbound.ts';

/** Somebody waits for the answer meanwhile. */
const TIMEOUT_MS = 3_000;
const LIMIT = 256 * 1024;

/** RFC 7517, section 5; what the keys themselves hold is for the library to judge. */
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/**
 * @param grafanaUrl the setting: where Grafana answers, with its sub-path, if it has one
 * @returns what reads the keys, and throws an Error with a sentence when they cannot be had
 */
export function grafanaKeys(
  grafanaUrl: string,
  outbound: Outbound = createOutbound({
    allow: readAddressRules(rulesForSetting(grafanaUrl)),
    timeoutMs: TIMEOUT_MS,
    maxBytes: LIMIT,
  })
): () => Promise<JSONWebKeySet> {
  return async () => {
    const url = `${grafanaUrl}/api/signing-keys/keys`;
    const { status, body } = await outbound.fetchGuarded(url, 'signing keys of Grafana');
    if (status !== 200) {
      throw new Error(`Grafana answers ${status} at /api/signing-keys/keys.`);
    }
    const { data } = keySet.safeParse(parse(body.toString('utf8')));
    if (data === undefined) {
      throw new Error('What Grafana answers at /api/signing-keys/keys are no keys.');
    }
    return data;
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
