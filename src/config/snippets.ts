/** What an admin copies: a line that sends a notification, and a contact point for Grafana's alerting. Pure. */
import type { BridgeStatus } from '@nodebell/contract/status.ts';

type Setup = Pick<BridgeStatus, 'auth' | 'webhookSecret'>;

/** Where the bridge is not known yet. */
const PLACE = 'http://nodebell-bridge:8080';

/** @param setup how the bridge is set up; undefined while it is not reached */
export function curlLine(bridgeUrl: string | undefined, setup: Setup | undefined): string {
  const token = setup?.auth === 'token' ? `  -H 'Authorization: Bearer '"$NODEBELL_TOKEN" \\\n` : '';
  return `curl -X POST '${bridgeUrl ?? PLACE}/api/v1/notifications' \\
  -H 'Content-Type: application/json' \\
${token}  -d '{ "title": "Test notification", "body": "Sent with curl",
        "category": "other", "dnpName": "test.dnp.dappnode.eth" }'
`;
}

/**
 * A file for Grafana's provisioning/alerting. Grafana fills in what begins with a dollar sign from its environment.
 * @param setup undefined while the bridge is not reached: everything that it may ask for is there
 */
export function contactPoint(bridgeUrl: string | undefined, setup: Setup | undefined): string {
  const signed =
    setup?.webhookSecret === false
      ? ''
      : `          hmacConfig:
            secret: $NODEBELL_WEBHOOK_SECRET
            header: X-Grafana-Alerting-Signature
            timestampHeader: X-Grafana-Alerting-Timestamp
`;
  const token =
    setup?.auth === 'token'
      ? `          authorization_scheme: Bearer
          authorization_credentials: $NODEBELL_TOKEN
`
      : '';
  return `apiVersion: 1
contactPoints:
  - orgId: 1
    name: Nodebell inbox
    receivers:
      - uid: nodebell-inbox
        type: webhook
        disableResolveMessage: false
        settings:
          url: ${bridgeUrl ?? PLACE}/api/v1/webhooks/grafana
          httpMethod: POST
          maxAlerts: '0'
${signed}${token}`;
}
