/** Bodies of any program, which a provisioned mapping makes into notifications. */
import type { Mapping } from '../../../contract/mapping.ts';
import type { ProblemError } from '../../../contract/problem.ts';
import { readUsablePayload } from '../../../contract/readPayload.ts';
import { show } from '../../../contract/text.ts';
import { shortName } from '../../inbox/notifications/fit.ts';
import { HttpProblem, invalid } from '../../platform/http/problem.ts';
import type { Steps } from '../../platform/runtime/steps.ts';
import { expressionsOf, WHOLE } from '../mapping/expressions.ts';
import { evaluator } from '../mapping/evaluator.ts';
import type { EvaluationError } from '../mapping/mappingProcess.ts';
import { type Dialect, parseText, type Posted, readEach, withoutTimes } from './dialect.ts';
import type { ReadAlert, ReadGroup, Reading } from './text.ts';

/** @param find the mapping of a name */
export const mapped =
  (find: (name: string) => Promise<Mapping | undefined>): NonNullable<Dialect['prepare']> =>
  async (posted, sender) => {
    const { mapping: name = '' } = posted.params;
    const mapping = await find(name);
    if (mapping === undefined) {
      throw new HttpProblem('not-found', `No provisioning file has a mapping ${show(name)}.`);
    }
    parseText(posted.text);
    const { errors, json } = await evaluator.evaluate(
      { expressions: expressionsOf(mapping), input: posted.text },
      sender
    );
    if (errors.length > 0) {
      throw invalid(errors.map((error) => problemOf(name, error)));
    }
    return { ...posted, mapped: json };
  };

const problemOf = (name: string, error: EvaluationError): ProblemError => ({
  pointer: '#',
  found: error.message,
  allowed: 'a body that the mapping accepts',
  detail: `The mapping "${name}" failed${placeOf(error)}: ${error.message} Nothing was stored.`,
});

/** ` in "title", at character 17` */
export const placeOf = ({ member = WHOLE, position }: EvaluationError): string =>
  (member === WHOLE ? '' : ` in "${member}"`) + (position === undefined ? '' : `, at character ${position}`);

export const fromMapped = ({ params, mapped: json }: Posted): Steps<Reading<ReadGroup>> =>
  readResult(params.mapping ?? '', json);

/**
 * Reads the result of a mapping: one notification or several, as senders send them.
 * @param json undefined: none, which is an error, since a member that is missing by mistake has the same result
 */
export function* readResult(name: string, json: string | undefined): Steps<Reading<ReadGroup>> {
  const result = json === undefined ? undefined : (JSON.parse(json) as unknown);
  const isList = Array.isArray(result);
  const read = yield* readEach(isList ? (result as unknown[]) : [result], readOne, isList);
  return read.ok
    ? { ok: true, value: { alerts: read.value, notices: [], truncated: 0, notes: [] } }
    : { ok: false, errors: read.errors.map((error) => resultError(name, error)) };
}

const resultError = (name: string, error: ProblemError): ProblemError => ({
  ...error,
  detail: `The result of the mapping "${name}" is not a notification${error.pointer === '#' ? '' : ` (${error.pointer})`}: ${error.detail}`,
});

function readOne(raw: unknown): Reading<ReadAlert> {
  const read = readUsablePayload(raw, shortName);
  return read.ok ? { ok: true, value: withoutTimes({ ...read.value, source: 'webhook' }) } : read;
}
