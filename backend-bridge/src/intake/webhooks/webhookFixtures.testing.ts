/** Reads the recorded bodies for tests. */
import { readFileSync } from 'node:fs';
import type { GrafanaAlert, GrafanaWebhook } from '../../../contract/grafanaWebhook.ts';
import { complete } from '../../platform/runtime/steps.ts';
import { fromGrafana } from './group.ts';
import type { ReadGroup } from './text.ts';

/** The bytes of a file in tests/fixtures/webhooks. */
export function fixtureBytes(name: string): Buffer<ArrayBuffer> {
  return readFileSync(new URL(`../../../../tests/fixtures/webhooks/${name}`, import.meta.url));
}

/** The parsed body, to be changed at will. */
export function fixture<T = Record<string, unknown>>(name: string): T {
  return JSON.parse(fixtureBytes(name).toString('utf8')) as T;
}

/** A body of Grafana with two firing alerts. */
export const firing = () => fixture<GrafanaWebhook>('grafana-firing.json');

/** Reads a body of Grafana. @throws Error with the errors of an invalid body */
export function readGrafana(body: unknown): ReadGroup {
  const result = complete(fromGrafana(body));
  if (!result.ok) {
    throw new Error(JSON.stringify(result.errors));
  }
  return result.value;
}

/** The payload of a body with one alert, changed. */
export function payloadOf(change: Partial<GrafanaAlert>) {
  const body = firing();
  return readGrafana({ ...body, alerts: [{ ...body.alerts[0], ...change }] }).alerts[0]!.incoming.payload;
}
