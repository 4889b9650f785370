import { describe, expect, it } from 'vitest';
import { chainSentence } from '@nodebell/contract/chainEndpoints.ts';
import { sentenceAt } from '@nodebell/contract/endpoint.ts';
import { capitalised } from '../i18n/locale';
import { alertsWhen } from './alertsWhen';
import { anEndpoint } from './thresholds.testing';

describe('the English sentence equals that of the bridge', () => {
  const metric = { min: 0, max: 100, step: 1, unit: '%' };
  it.each(['<=', '<', '>=', '>', '==', '!='])('for a condition with %s', (operator) => {
    const shipped = `[BODY].data.result[0].value[1] ${operator} 80`;
    const endpoint = anEndpoint({ metric, condition: { shipped, effective: shipped } });
    const sentence = alertsWhen(endpoint, 82.5);
    expect(sentence).toContain('82.5 %');
    expect(sentence).toBe(capitalised(sentenceAt(endpoint, 82.5)!));
  });

  it.each(['chain-behind', 'chain-stalled', 'chain-unreachable', 'chain-peers'])('for %s', (correlationId) => {
    for (const value of [1, 30]) {
      const endpoint = { ...anEndpoint({ correlationId, metric }), kind: 'chain' as const, condition: undefined };
      expect(alertsWhen(endpoint, value)).toBe(capitalised(chainSentence(correlationId, value)!));
    }
  });

  it.each([
    ['blocks', 60, 'Alerts above 60 blocks behind'],
    ['slots', 60, 'Alerts above 60 slots behind'],
    ['slots', 1, 'Alerts above 1 slot behind'],
  ])('for a node that counts %s: %i', (unit, value, sentence) => {
    const counted = { ...metric, unit };
    const endpoint = anEndpoint({
      correlationId: 'chain-behind',
      kind: 'chain',
      condition: undefined,
      metric: counted,
    });
    expect(alertsWhen(endpoint, value)).toBe(sentence);
    expect(capitalised(sentenceAt(endpoint, value)!)).toBe(sentence);
  });

  it('for endpoints checked by the package', () => {
    const endpoint = { ...anEndpoint({ metric }), kind: 'custom' as const, condition: undefined };
    expect(alertsWhen(endpoint, 5)).toBe(capitalised(sentenceAt(endpoint, 5)!));
  });
});

it('uses the sentence of the bridge if there is no threshold', () => {
  const endpoint = { ...anEndpoint(), condition: undefined, metric: undefined };
  expect(alertsWhen({ ...endpoint, sentence: 'alerts when it fails' }, 0)).toBe('Alerts when it fails');
  expect(alertsWhen({ ...endpoint, sentence: undefined }, 0)).toBeUndefined();
});
