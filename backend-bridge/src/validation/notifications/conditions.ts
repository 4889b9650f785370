/** The conditions of an endpoint, of which the first holds the threshold. */
import { type Condition, readCondition } from '../../../contract/condition.ts';
import { describe, member, memberPointer, type Place } from '../members.ts';
import type { SourceNode } from '../source/source.ts';
import { checkThreshold } from './common.ts';
import type { Metric } from './types.ts';
import { holdUnreachable } from './unreachable.ts';

/** @returns undefined if they are unusable, with a finding */
export function readConditions(place: Place): string[] | undefined {
  const found = member(place, 'conditions');
  const pointer = memberPointer(place, 'conditions');
  const add = (at: { start: number; end: number }, title: string, detail: string, where = pointer): void =>
    place.report.add('conditions-shape', where, at, title, `${place.name}: ${detail}`);
  if (!found) {
    add(place.map, 'conditions is missing', 'add a list of conditions that must hold when healthy.', place.pointer);
    return undefined;
  }
  const { node } = found;
  if (node.kind !== 'list') {
    add(node, 'conditions is not a list', `found ${describe(node)}. Expected a list.`);
    return undefined;
  }
  if (node.items.length === 0) {
    const detail = `${place.name}: Gatus requires at least one condition.`;
    place.report.add('conditions-empty', pointer, node, 'conditions is empty', detail);
  }
  const texts = node.items.map((item, index) => {
    if (item.kind === 'scalar' && typeof item.value === 'string') {
      return item.value;
    }
    // A value that starts with a bracket is a list in YAML.
    const detail = `found ${describe(item)}. Quote the condition.`;
    add(item, 'Condition is not a string', detail, `${pointer}/${index}`);
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
  if (holdUnreachable(read)) {
    const at = items[0] ?? place.map;
    const detail = `${place.name}: Gatus reports a target that does not respond as healthy. Add the condition [CONNECTED] == true after the others.`;
    const title = 'Conditions hold without a response';
    place.report.add('conditions-unreachable', memberPointer(place, 'conditions'), at, title, detail);
  }
  const others = read.slice(1).findIndex(({ left }) => !/^\[(CONNECTED|STATUS)\]$/i.test(left)) + 1;
  if (metric && others > 0 && items[others]) {
    const detail = `${place.name}: the slider changes the first condition only.`;
    place.report.add(
      'conditions-several',
      `${memberPointer(place, 'conditions')}/${others}`,
      items[others],
      'Several conditions',
      detail
    );
  }
  if (read[0]?.number === undefined) {
    findPlaceholder(place);
  }
}

/** @param metric of the endpoint, if this condition contains its threshold */
function validateCondition(
  place: Place,
  { cautions, number, operator, readOnly }: Condition,
  at: { node: SourceNode; pointer: string },
  metric: Metric | undefined
): void {
  const { node, pointer } = at;
  const { report, name } = place;
  if (readOnly !== undefined && operator === undefined) {
    const detail = `${name}: ${readOnly} Expected VALUE OPERATOR VALUE, separated by spaces.`;
    report.add('condition-grammar', pointer, node, 'Invalid condition', detail);
  } else if (readOnly !== undefined && metric) {
    const detail = `${name}: ${readOnly} The metric is shown without a slider.`;
    report.add('condition-read-only', pointer, node, 'Metric without a threshold', detail);
  }
  for (const caution of cautions) {
    report.add('condition-reading', pointer, node, 'Gatus evaluates the condition differently', `${name}: ${caution}`);
  }
  if (metric && number) {
    checkThreshold(place, metric, number.value, at);
  }
}

/** Reports [CONDITION_VALUE] in the description of an alert if there is no number to insert. */
function findPlaceholder(place: Place): void {
  const alerts = member(place, 'alerts')?.node;
  for (const [index, alert] of (alerts?.kind === 'list' ? alerts.items : []).entries()) {
    const description = alert.kind === 'map' ? alert.members.get('description')?.node : undefined;
    if (description?.kind === 'scalar' && String(description.value).includes('[CONDITION_VALUE]')) {
      const pointer = `${memberPointer(place, 'alerts')}/${index}/description`;
      const detail = `${place.name}: the first condition has no number to insert.`;
      place.report.add('condition-placeholder', pointer, description, '[CONDITION_VALUE] has no value', detail);
    }
  }
}
