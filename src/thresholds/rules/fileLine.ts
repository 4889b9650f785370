import type { RuleThreshold, RuleValues } from './rule';

/** The line of a provisioning file with these values, for the model of the expression. */
export function fileLine({ operator, recoveryOperator }: RuleThreshold, { params, recovery }: RuleValues): string {
  const evaluator = `evaluator: { type: ${operator}, params: [${params.join(', ')}] }`;
  return recovery && recoveryOperator
    ? `- { ${evaluator}, unloadEvaluator: { type: ${recoveryOperator}, params: [${recovery.join(', ')}] } }`
    : `- { ${evaluator} }`;
}
