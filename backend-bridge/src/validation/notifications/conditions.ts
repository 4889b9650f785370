/** The conditions of an endpoint, of which the first holds the threshold. */
import { type Condition, readCondition } from '../../../contract/condition.ts';
import type { Mapping } from '../members.ts';
import { describe } from '../report.ts';
import type { SourceNode } from '../source/source.ts';
import { outOfRange } from './common.ts';
import type { Metric } from './types.ts';
import { holdUnreachable } from './unreachable.ts';

/** @returns undefined if they are unusable, with a finding */
export function readConditions(at: Mapping): string[] | undefined {
  const node = at.get('conditions')?.node;
  if (!node) {
    const detail = 'add a list of conditions that must hold when healthy.';
    at.add('conditions-shape', 'conditions is missing', detail);
    return undefined;
  }
  if (node.kind !== 'list') {
    const detail = `found ${describe(node)}. Expected a list.`;
    at.add('conditions-shape', 'conditions is not a list', detail, 'conditions');
    return undefined;
  }
  if (node.items.length === 0) {
    at.add('conditions-empty', 'conditions is empty', 'Gatus requires at least one condition.', 'conditions');
  }
  const texts = node.items.map((item, index) => {
    if (item.kind === 'scalar' && typeof item.value === 'string') {
      return item.value;
    }
    // A value that starts with a bracket is a list in YAML.
    const detail = `found ${describe(item)}. Quote the condition.`;
    at.add('conditions-shape', 'Condition is not a string', detail, 'conditions', index);
    return undefined;
  });
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** @param conditions as {@link readConditions} gave them */
export function validateConditions(at: Mapping, conditions: readonly string[], metric: Metric | undefined): void {
  const read = conditions.map(readCondition);
  read.forEach((condition, index) => validateCondition(at, condition, index, index === 0 ? metric : undefined));
  if (holdUnreachable(read)) {
    const detail = `${at.name}: Gatus reports a target that does not respond as healthy. Add the condition [CONNECTED] == true after the others.`;
    const pointer = `${at.pointer}/conditions`;
    at.report.add('conditions-unreachable', pointer, firstOf(at), 'Conditions hold without a response', detail);
  }
  const others = read.slice(1).findIndex(({ left }) => !/^\[(CONNECTED|STATUS)\]$/i.test(left)) + 1;
  if (metric && others > 0) {
    const detail = 'the slider changes the first condition only.';
    at.add('conditions-several', 'Several conditions', detail, 'conditions', others);
  }
  if (read[0]?.number === undefined) {
    findPlaceholder(at);
  }
}

function firstOf(at: Mapping): SourceNode {
  const node = at.get('conditions')?.node;
  return (node?.kind === 'list' && node.items[0]) || at.node;
}

/** @param metric of the endpoint, if this condition contains its threshold */
function validateCondition(
  at: Mapping,
  { cautions, number, operator, readOnly }: Condition,
  index: number,
  metric: Metric | undefined
): void {
  if (readOnly !== undefined && operator === undefined) {
    const detail = `${readOnly} Expected VALUE OPERATOR VALUE, separated by spaces.`;
    at.add('condition-grammar', 'Invalid condition', detail, 'conditions', index);
  } else if (readOnly !== undefined && metric) {
    const detail = `${readOnly} The metric is shown without a slider.`;
    at.add('condition-read-only', 'Metric without a threshold', detail, 'conditions', index);
  }
  for (const caution of cautions) {
    at.add('condition-reading', 'Gatus evaluates the condition differently', caution, 'conditions', index);
  }
  const outside = metric && number && outOfRange(metric, number.value);
  if (outside !== undefined) {
    at.add('threshold-range', 'Threshold out of range', outside, 'conditions', index);
  }
}

/** Reports [CONDITION_VALUE] in the description of an alert if there is no number to insert. */
function findPlaceholder(at: Mapping): void {
  const alerts = at.get('alerts')?.node;
  for (const [index, alert] of (alerts?.kind === 'list' ? alerts.items : []).entries()) {
    const description = alert.kind === 'map' ? alert.members.get('description')?.node : undefined;
    if (description?.kind === 'scalar' && String(description.value).includes('[CONDITION_VALUE]')) {
      const detail = 'the first condition has no number to insert.';
      at.add('condition-placeholder', '[CONDITION_VALUE] has no value', detail, 'alerts', index, 'description');
    }
  }
}
