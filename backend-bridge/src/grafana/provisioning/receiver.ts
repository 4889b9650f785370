/** What Grafana, or the bridge, would stumble over in one receiver of a contact point. Pure. */
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import type { At, Told } from './read.ts';
import { type Receiver, webhookSchema } from './shapes.ts';

/** The path of the bridge that takes Grafana's alerts. */
const PATH = '/api/v1/webhooks/grafana';

const told = (verdict: Told['verdict'], rule: string, title: string, detail: string): Told => ({
  rule,
  verdict,
  title,
  detail,
});

/** @param at finds places in the receiver */
export function judgeReceiver({ type, settings, disableResolveMessage }: Receiver, at: At): ProvisioningFinding[] {
  if (type !== 'webhook') {
    return [];
  }
  const result = webhookSchema.safeParse(settings);
  const findings = (result.error?.issues ?? []).map(({ path, message }) =>
    at(
      ['settings', ...path],
      told(
        'error',
        'shape',
        'Invalid value',
        `${path.join('.')} must be ${message.replace(/^Invalid input.*/, 'there')}.`
      )
    )
  );
  const known = Object.keys(webhookSchema.shape);
  const unknown = Object.keys(settings).filter((key) => !known.includes(key));
  findings.push(
    ...unknown.map((key) =>
      at(
        ['settings', key],
        told('warning', 'unknown-member', 'Unknown member', `Grafana ignores "${key}". Known are ${known.join(', ')}.`)
      )
    )
  );
  const has = (member: string): boolean => (settings[member] ?? '') !== '';
  if ((has('username') || has('password')) && (has('authorization_scheme') || has('authorization_credentials'))) {
    const detail = 'Use username and password, or authorization_scheme and authorization_credentials.';
    findings.push(at(['settings'], told('error', 'authorization', 'There are two ways to sign in', detail)));
  }
  return [...findings, ...judgeOurs(settings, disableResolveMessage, at)];
}

/** Where it sends to the bridge. */
function judgeOurs(settings: Receiver['settings'], disableResolveMessage: unknown, at: At): ProvisioningFinding[] {
  const url = String(settings['url']);
  if (!url.includes('/api/v1/webhooks')) {
    return [];
  }
  const findings: ProvisioningFinding[] = [];
  if (!url.replace(/[?#].*$/, '').endsWith(PATH)) {
    const detail = `The bridge takes Grafana's alerts at ${PATH}.`;
    findings.push(at(['settings', 'url'], told('error', 'webhook-path', 'The address is another one', detail)));
  }
  if (settings['payload'] !== undefined) {
    const detail = 'It replaces the body that the bridge reads. Leave it out.';
    findings.push(at(['settings', 'payload'], told('error', 'payload', 'A payload of its own', detail)));
  }
  if (settings['httpMethod'] === 'PUT') {
    findings.push(
      at(['settings', 'httpMethod'], told('error', 'method', 'The method is PUT', 'The bridge takes POST.'))
    );
  }
  if (disableResolveMessage === true) {
    const detail = 'Alerts would stay open in the inbox. Leave it out, or write false.';
    findings.push(at(['disableResolveMessage'], told('warning', 'resolve', 'The end is not told', detail)));
  }
  return findings;
}
