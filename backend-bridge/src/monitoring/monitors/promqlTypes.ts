/**
 * The type of each part of a query (promql/parser, "checkAST"), on the tree that the grammar of Prometheus' editor makes. Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import { AGGREGATIONS_BY_NAME, FUNCTIONS, type QueryType, type Signature } from './promqlFunctions.ts';

/** Error of a query: the second half of a sentence, and the character at which it is. */
export class Broken extends Error {
  readonly at: number;
  constructor(reason: string, at: number) {
    super(reason);
    this.at = at;
  }
}

export const excerpt = (query: string, at: number): string => JSON.stringify(query.slice(at, at + 20));

/** @throws Broken unless the types fit, and what the whole gives can be compared by a rule */
export function refuseNoVector(top: SyntaxNode, query: string): void {
  const whole = innerOf(top, query);
  const type = typeOf(whole, query);
  want(type === 'vector', `it gives ${WORDS[type]}, and a rule compares ${WORDS.vector}`, whole);
}

const WORDS: Readonly<Record<QueryType, string>> = {
  vector: 'an instant vector',
  range: 'a range of values',
  number: 'a number',
  text: 'a text',
};
/** Nodes that modify their neighbours and are no operands. */
const NO_OPERAND =
  /^(?:LineComment|AggregateOp|AggregateModifier|FunctionIdentifier|BoolModifier|MatchingModifierClause|UnaryOp|Offset|OffsetDurationExpr|DurationExpr|At|AtModifierPreprocessors)$/;
const OPERAND = /Expr$|^(?:FunctionCall|VectorSelector|MatrixSelector|NumberDurationLiteral|StringLiteral)$/;

function operandsOf(node: SyntaxNode): SyntaxNode[] {
  const operands: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (OPERAND.test(child.name) && !NO_OPERAND.test(child.name)) {
      operands.push(child);
    }
  }
  return operands;
}

/** Written after what they belong to. */
const POSTFIXES = new Set(['MatrixSelector', 'SubqueryExpr', 'OffsetExpr', 'StepInvariantExpr']);

/**
 * @param after names of the postfixes that follow, the nearest first: the grammar puts them round a whole sum, where Prometheus
 *   has them bind to its last operand
 */
function typeOf(node: SyntaxNode, query: string, after: readonly string[] = []): QueryType {
  if (POSTFIXES.has(node.name)) {
    return typeOf(innerOf(node, query), query, [node.name, ...after]);
  }
  if (node.name === 'BinaryExpr') {
    return typeOfBinary(node, query, after);
  }
  if (node.name === 'UnaryExpr') {
    const type = typeOf(innerOf(node, query), query, after);
    want(type === 'vector' || type === 'number', `${WORDS[type]} has no sign`, node);
    return type;
  }
  return after.reduce<QueryType>(
    (type, postfix, index) => typeAfter(postfix, type, after[index - 1], node),
    ownType(node, query)
  );
}

function ownType(node: SyntaxNode, query: string): QueryType {
  switch (node.name) {
    case 'NumberDurationLiteral':
      return 'number';
    case 'StringLiteral':
      return 'text';
    case 'VectorSelector':
      refuseMatchers(node, query);
      return 'vector';
    case 'FunctionCall':
      return typeOfCall(node, FUNCTIONS, query);
    case 'AggregateExpr':
      return typeOfCall(node, AGGREGATIONS_BY_NAME, query);
    default:
      // Brackets.
      return typeOf(innerOf(node, query), query);
  }
}

/** A regular expression is one of RE2, which has no look-around; a selector of nothing but empty labels would select everything. */
function refuseMatchers(selector: SyntaxNode, query: string): void {
  const matchers = selector.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  const matchEmpty = matchers.map((matcher) => {
    const [name, operator, value] = partsOf(matcher, query);
    const isPattern = operator === '=~' || operator === '!~';
    want(!isPattern || isRegExp(value), `${name} is compared with no regular expression of RE2`, matcher);
    const isEmptyLike = isPattern ? value === '' || new RegExp(`^(?:${scriptPattern(value)})$`).test('') : value === '';
    return isEmptyLike !== operator.startsWith('!');
  });
  const isNamed = selector.getChild('Identifier') !== null || hasQuotedName(selector);
  want(isNamed || matchEmpty.includes(false), 'it has a selector that names nothing', selector);
}

const hasQuotedName = (selector: SyntaxNode): boolean =>
  (selector.getChild('LabelMatchers')?.getChildren('QuotedLabelName').length ?? 0) > 0;

function partsOf(matcher: SyntaxNode, query: string): [name: string, operator: string, value: string] {
  const part = (name: string): string => {
    const child = matcher.getChild(name);
    return child ? query.slice(child.from, child.to) : '';
  };
  const quoted = part('StringLiteral');
  const value = quoted.slice(1, -1);
  return [part('LabelName'), part('MatchOp'), quoted.startsWith('`') ? value : value.replace(/\\\\/g, '\\')];
}

/** Flags and named groups are spelled differently in RE2. */
const scriptPattern = (pattern: string): string => pattern.replace(/\(\?[imsU-]+\)/g, '').replaceAll('(?P<', '(?<');

function isRegExp(pattern: string): boolean {
  try {
    return new RegExp(scriptPattern(pattern)) instanceof RegExp && !/\(\?<?[=!]/.test(pattern);
  } catch {
    return false;
  }
}

function innerOf(node: SyntaxNode, query: string): SyntaxNode {
  const [inner] = operandsOf(node);
  if (inner === undefined) {
    throw new Broken(`it cannot be read from ${excerpt(query, node.from)} on`, node.from);
  }
  return inner;
}

function typeAfter(postfix: string, type: QueryType, before: string | undefined, node: SyntaxNode): QueryType {
  const isSelector = node.name === 'VectorSelector';
  switch (postfix) {
    case 'MatrixSelector':
      want(isSelector && before === undefined, 'only a selector can have a range', node);
      return 'range';
    case 'SubqueryExpr':
      want(type === 'vector', `a range is made of ${WORDS.vector}, and here it is of ${WORDS[type]}`, node);
      return 'range';
    default:
      want(isSelector || before !== undefined, 'only a selector is moved in time', node);
      return type;
  }
}

function want(holds: boolean, reason: string, { from }: SyntaxNode): void {
  if (!holds) {
    throw new Broken(reason, from);
  }
}

function typeOfCall(node: SyntaxNode, known: ReadonlyMap<string, Signature>, query: string): QueryType {
  const first = node.firstChild ?? node;
  const name = query.slice(first.from, first.to).toLowerCase();
  const signature = known.get(name);
  if (signature === undefined) {
    throw new Broken(`it uses ${name}(), which Prometheus takes only with a feature flag`, node.from);
  }
  const body = node.getChild('FunctionCallBody');
  const given = body ? operandsOf(body) : [];
  const { takes, least, repeats, gives } = signature;
  if (given.length < least || (given.length > takes.length && !repeats)) {
    const most = repeats ? 'or more' : takes.length > least ? `to ${takes.length}` : '';
    throw new Broken(
      `${name}() takes ${`${least} ${most}`.trim()} argument${least === 1 && most === '' ? '' : 's'}, and has ${given.length}`,
      node.from
    );
  }
  given.forEach((argument, index) => {
    const wanted = takes[Math.min(index, takes.length - 1)] ?? 'vector';
    const type = typeOf(argument, query);
    want(type === wanted, `${name}() takes ${WORDS[wanted]} here, and has ${WORDS[type]}`, argument);
  });
  return gives;
}

const SET_OPERATORS = ['And', 'Or', 'Unless'];
const COMPARISONS = ['Eql', 'Neq', 'Lte', 'Lss', 'Gte', 'Gtr'];

function typeOfBinary(node: SyntaxNode, query: string, after: readonly string[]): QueryType {
  const operands = operandsOf(node);
  const types = operands.map((operand, index) => typeOf(operand, query, index === operands.length - 1 ? after : []));
  types.forEach((type, index) =>
    want(
      type === 'vector' || type === 'number',
      `${WORDS[type]} cannot be compared or reckoned with`,
      operands[index] ?? node
    )
  );
  const has = (names: readonly string[]): boolean => names.some((name) => node.getChild(name) !== null);
  const isOfNumbers = types.every((type) => type === 'number');
  want(!has(SET_OPERATORS) || !types.includes('number'), 'and, or and unless are of vectors only', node);
  want(!has(['BoolModifier']) || has(COMPARISONS), 'bool is for comparisons only', node);
  want(!isOfNumbers || !has(COMPARISONS) || has(['BoolModifier']), 'two numbers are compared with bool', node);
  want(!has(['MatchingModifierClause']) || !types.includes('number'), 'on and ignoring are for two vectors', node);
  return isOfNumbers ? 'number' : 'vector';
}
