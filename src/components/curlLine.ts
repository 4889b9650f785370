/** A curl command that sends a test notification. Pure. */
import type { BridgeStatus } from '@nodebell/contract/status.ts';

/** The authentication that the bridge requires of senders. */
export type Setup = Pick<BridgeStatus, 'auth' | 'webhookSecret'>;

/** Placeholder while the address of the bridge is unknown. */
export const PLACE = 'http://nodebell-bridge:8080';

/** @param setup the configuration of the bridge; undefined while unknown, then the command has no token */
export function curlLine(bridgeUrl: string | undefined, setup: Setup | undefined): string {
  const token = setup?.auth === 'token' ? `  -H 'Authorization: Bearer '"$NODEBELL_TOKEN" \\\n` : '';
  const address = `${(bridgeUrl ?? PLACE).replace(/\/+$/, '')}/api/v1/notifications`;
  return `curl -X POST '${address.replaceAll("'", '%27')}' \\
  -H 'Content-Type: application/json' \\
${token}  -d '{ "title": "Test notification", "body": "Sent with curl",
        "category": "other", "dnpName": "test.dnp.dappnode.eth" }'
`;
}
