/** What Grafana, the app or its admin would stumble over in a provisioned app. Pure. */
import type { z } from 'zod';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import type { Read } from './read.ts';
import type { appsSchema } from './shapes.ts';
import { isVariable } from './values.ts';

/** The id of the app; it does not change. */
export const APP_ID = 'nodebell-notifications-app';

export function judgeApps({ value, at }: Read<z.infer<typeof appsSchema>>): ProvisioningFinding[] {
  return (value?.apps ?? []).flatMap((app, index) => {
    if (app.type !== APP_ID) {
      return [];
    }
    const findings: ProvisioningFinding[] = [];
    const say = (path: string[], rule: string, title: string, detail: string): void => {
      findings.push(at(['apps', index, ...path], { rule, verdict: 'error', title, detail }));
    };
    const url: unknown = app.jsonData?.['bridgeUrl'];
    if (url === undefined || url === '') {
      say(['jsonData'], 'bridge-url', 'The address of the bridge is missing', 'Add bridgeUrl to jsonData.');
    } else if (!isVariable(url) && !isAddress(url)) {
      const detail =
        'bridgeUrl must be http:// or https:// with a host, and no slash at its end: paths are put behind it.';
      say(['jsonData', 'bridgeUrl'], 'bridge-url', 'The address of the bridge does not fit', detail);
    }
    if (app.jsonData?.['bridgeToken'] !== undefined) {
      const detail = 'Every user can read jsonData. Move bridgeToken to secureJsonData, and make a new token.';
      say(['jsonData', 'bridgeToken'], 'token-readable', 'The token can be read', detail);
    } else if ((app.secureJsonData?.['bridgeToken'] ?? '') === '') {
      say(['secureJsonData'], 'bridge-token', 'The token is missing', 'Add bridgeToken to secureJsonData.');
    }
    return findings;
  });
}

function isAddress(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url) && /^https?:\/\/[^?#]*[^/?#]$/.test(url);
}
