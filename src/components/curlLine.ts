/** A line for a terminal that sends a notification. Pure. */
import type { BridgeStatus } from '@nodebell/contract/status.ts';

/** What the bridge asks of senders. */
export type Setup = Pick<BridgeStatus, 'auth' | 'webhookSecret'>;

/** Where the bridge is not known yet. */
export const PLACE = 'http://nodebell-bridge:8080';

/** @param setup how the bridge is set up; undefined while it is not known: then without a token */
export function curlLine(bridgeUrl: string | undefined, setup: Setup | undefined): string {
  const token = setup?.auth === 'token' ? `  -H 'Authorization: Bearer '"$NODEBELL_TOKEN" \\\n` : '';
  const address = `${(bridgeUrl ?? PLACE).replace(/\/+$/, '')}/api/v1/notifications`;
  return `curl -X POST '${address.replaceAll("'", '%27')}' \\
  -H 'Content-Type: application/json' \\
${token}  -d '{ "title": "Test notification", "body": "Sent with curl",
        "category": "other", "dnpName": "test.dnp.dappnode.eth" }'
`;
}
