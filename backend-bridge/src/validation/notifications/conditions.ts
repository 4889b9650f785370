/** The conditions of an endpoint, of which the first holds the threshold. */
import { type Condition, readCondition } from '../../../contract/condition.ts';
import { describe, member, memberPointer, type Place } from '../yaml/members.ts';
import type { YamlNode } from '../yaml/tree.ts';
import { checkThreshold } from './common.ts';
import type { Metric } from './types.ts';

/** @returns undefined when they cannot be used; a finding says why */
export function readConditions(place: Place): string[] | undefined {
  const found = member(place, 'conditions');
  const pointer = memberPointer(place, 'conditions');
  const add = (at: { start: number; end: number }, title: string, detail: string, where = pointer): void =>
    place.report.add('conditions-shape', where, at, title, `${place.name}: ${detail}`);
  if (!found) {
    add(place.map, 'conditions is missing', 'a condition says what is healthy. Give a list of them.', place.pointer);
    return undefined;
  }
  const { node } = found;
  if (node.kind !== 'list') {
    add(node, 'conditions is not a list', `found ${describe(node)}. Write a list, also of one condition.`);
    return undefined;
  }
  if (node.items.length === 0) {
    const detail = `${place.name}: Gatus refuses an endpoint without a condition, and there is no threshold.`;
    place.report.add('conditions-empty', pointer, node, 'conditions is empty', detail);
  }
  const texts = node.items.map((item, index) => {
    if (item.kind === 'scalar' && typeof item.value === 'string') {
      return item.value;
    }
    // What begins with a bracket is a list to YAML.
    const detail = `found ${describe(item)}. Put it in quotation marks.`;
    add(item, 'A condition is not a text', detail, `${pointer}/${index}`);
    return undefined;
  });
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** @param conditions as {@link readConditions} gave them */
export function validateConditions(place: Place, conditions: readonly string[], metric: Metric | undefined): void {
  const list = member(place, 'conditions')?.node;
  const items = list?.kind === 'list' ? list.items : [];
  const read = conditions.map(readCondition);
  for (const [index, condition] of read.entries()) {
    const node = items[index] ?? place.map;
    const pointer = `${memberPointer(place, 'conditions')}/${index}`;
    validateCondition(place, condition, { node, pointer }, index === 0 ? metric : undefined);
  }
  if (metric && items[1]) {
    const detail = `${place.name}: the slider moves the first condition; the others stay as they are.`;
    place.report.add(
      'conditions-several',
      `${memberPointer(place, 'conditions')}/1`,
      items[1],
      'One threshold only',
      detail
    );
  }
  if (read[0]?.number === undefined) {
    findPlaceholder(place);
  }
}

/** @param metric of the endpoint, where this condition holds its threshold */
function validateCondition(
  place: Place,
  { cautions, number, operator, readOnly }: Condition,
  at: { node: YamlNode; pointer: string },
  metric: Metric | undefined
): void {
  const { node, pointer } = at;
  const { report, name } = place;
  if (readOnly !== undefined && operator === undefined) {
    const detail = `${name}: ${readOnly} Write one value, one operator and one value, with spaces between them.`;
    report.add('condition-grammar', pointer, node, 'Gatus does not know such a condition', detail);
  } else if (readOnly !== undefined && metric) {
    const detail = `${name}: ${readOnly} It is shown without a slider.`;
    report.add('condition-read-only', pointer, node, 'The metric has no threshold to move', detail);
  }
  for (const caution of cautions) {
    report.add('condition-reading', pointer, node, 'Gatus reads the condition otherwise', `${name}: ${caution}`);
  }
  if (metric && number) {
    checkThreshold(place, metric, number.value, at);
  }
}

/** In the description of an alert, where there is no number that could be put there. */
function findPlaceholder(place: Place): void {
  const alerts = member(place, 'alerts')?.node;
  for (const [index, alert] of (alerts?.kind === 'list' ? alerts.items : []).entries()) {
    const description = alert.kind === 'map' ? alert.members.get('description')?.node : undefined;
    if (description?.kind === 'scalar' && String(description.value).includes('[CONDITION_VALUE]')) {
      const pointer = `${memberPointer(place, 'alerts')}/${index}/description`;
      const detail = `${place.name}: its first condition holds no number that could be put there.`;
      place.report.add('condition-placeholder', pointer, description, '[CONDITION_VALUE] stands for nothing', detail);
    }
  }
}
