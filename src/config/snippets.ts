/** Contact point snippet for Grafana Alerting. Pure. */
import { CONTACT_POINT } from '@nodebell/contract/contactPoint.ts';
import { PLACE, type Setup } from '../components/curlLine';

/**
 * Provisioning file for Grafana Alerting. Grafana expands `$` variables from its environment.
 * @param setup undefined while the bridge is unreachable: includes every setting it might require
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
    name: ${CONTACT_POINT}
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
