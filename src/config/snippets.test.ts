import { CONTACT_POINT } from '@nodebell/contract/contactPoint.ts';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { contactPoint } from './snippets';

const URL = 'http://bridge:8080';
const OPEN = { auth: 'sender-open', webhookSecret: false } as const;
const GUARDED = { auth: 'token', webhookSecret: true } as const;

interface Settings {
  url: string;
  hmacConfig?: object;
  authorization_credentials?: string;
}
const settingsOf = (text: string): Settings =>
  (parse(text) as { contactPoints: Array<{ receivers: Array<{ settings: Settings }> }> }).contactPoints[0]!
    .receivers[0]!.settings;

it('the contact point has the name that the bridge and the pages expect', () => {
  const { contactPoints } = parse(contactPoint(URL, OPEN)) as { contactPoints: Array<{ name: string }> };
  expect(contactPoints.map(({ name }) => name)).toEqual([CONTACT_POINT]);
});

it('the contact point is valid YAML with the bridge URL', () => {
  expect(settingsOf(contactPoint(URL, OPEN))).toEqual({
    url: `${URL}/api/v1/webhooks/grafana`,
    httpMethod: 'POST',
    maxAlerts: '0',
  });
});

it('the contact point has a signature and a token if the bridge requires them', () => {
  const settings = settingsOf(contactPoint(URL, GUARDED));
  expect(settings.hmacConfig).toEqual({
    secret: '$NODEBELL_WEBHOOK_SECRET',
    header: 'X-Grafana-Alerting-Signature',
    timestampHeader: 'X-Grafana-Alerting-Timestamp',
  });
  expect(settings.authorization_credentials).toBe('$NODEBELL_TOKEN');
  expect(settingsOf(contactPoint(undefined, undefined)).hmacConfig).toBeDefined();
});
