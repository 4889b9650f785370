/** Does to a template what Gatus does: plain text takes the place of the placeholders, one after the other. */
export interface GatusFacts {
  description: string;
  name: string;
  group: string;
  url: string;
  errors: string;
  conditions: string;
  status: string;
}

export const DOWN: GatusFacts = {
  description: 'geth does not answer',
  name: 'geth-rpc',
  group: 'ethereum',
  url: 'http://geth.dappnode:8545',
  errors: '',
  conditions: '❌ - `[STATUS] (503) == 200`, ✅ - `[RESPONSE_TIME] < 500`',
  status: 'TRIGGERED',
};

export function fillAsGatus(template: string, facts: Partial<GatusFacts> = {}): string {
  const all = { ...DOWN, ...facts };
  const values: [string, string][] = [
    ['[ALERT_DESCRIPTION]', all.description],
    ['[ENDPOINT_NAME]', all.name],
    ['[ENDPOINT_GROUP]', all.group],
    ['[ENDPOINT_URL]', all.url],
    // The only value in which Gatus escapes anything.
    ['[RESULT_ERRORS]', all.errors.replaceAll('"', '\\"')],
    ['[RESULT_CONDITIONS]', all.conditions],
    ['[ALERT_TRIGGERED_OR_RESOLVED]', all.status],
  ];
  return values.reduce((text, [placeholder, value]) => text.split(placeholder).join(value), template);
}
