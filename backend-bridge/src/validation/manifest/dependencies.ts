/** What dependencies are called and what they ask for, those that are optional included. */
import { contentIdOf, isContentId, kindOf } from './dependency.ts';
import { type Path } from './document.ts';
import { isObject, type Json } from './read.ts';
import { type Report } from './report.ts';
import { type RuleId } from './rules.ts';
import { NAME } from './schema.ts';
import { type Manifest } from './types.ts';
import { found, label, nameAdvice } from './words.ts';

/** By which rules a value is refused. */
interface RangeRules {
  unreadable: RuleId;
  content: RuleId;
  hash: RuleId;
}

const REQUIRED: RangeRules = { unreadable: 'dependency-range', content: 'content-address', hash: 'dependency-hash' };
/** The specification does not know them, so that nothing is an error. */
const OPTIONAL: RangeRules = { unreadable: 'optional-range', content: 'optional-range', hash: 'optional-range' };
const FORMS = 'a version (1.2.3), a range (^1.2.0), *, latest or /ipfs/ with an identifier';

/**
 * @param raw the manifest's value; what is optional is in no schema
 * @param manifest the same, read
 */
export function reportDependencies(
  { optionalDependencies: optional }: Json,
  { name, dependencies = {} }: Partial<Manifest>,
  report: Report
): void {
  for (const [dependency, range] of Object.entries(dependencies)) {
    const path = ['dependencies', dependency];
    reportItself(path, name, report);
    reportRange(path, range, REQUIRED, report);
  }
  if (isObject(optional)) {
    reportOptional(optional, name, report);
  } else if (optional !== undefined) {
    const detail = `Found ${found(optional)}. It is left out. Write an object: names of packages, each with ${FORMS}.`;
    report.say('optional-range', ['optionalDependencies'], 'optionalDependencies is not an object', detail);
  }
}

function reportOptional(optional: Json, own: string | undefined, report: Report): void {
  for (const [name, range] of Object.entries(optional)) {
    const path = ['optionalDependencies', name];
    reportItself(path, own, report);
    if (name.length > 253 || !NAME.test(name)) {
      const title = 'An optional dependency is not called by the name of a package';
      report.say('optional-name', path, title, `Found ${found(name)}. ${nameAdvice(name)}`, 'key');
    }
    if (typeof range === 'string') {
      reportRange(path, range, OPTIONAL, report);
    } else {
      const detail = `Found ${found(range)}. It is left out. Write ${FORMS}.`;
      report.say('optional-range', path, `${label(path)} is not text`, detail);
    }
  }
}

function reportItself(path: Path, own: string | undefined, report: Report): void {
  if (path.at(-1) === own) {
    report.say('depends-on-itself', path, 'The package depends on itself', 'Remove it from its dependencies.', 'key');
  }
}

function reportRange(path: Path, range: string, rules: RangeRules, report: Report): void {
  switch (kindOf(range)) {
    case 'latest':
      report.say(
        'dependency-latest',
        path,
        'latest follows every release',
        'A range such as ^1.2.3 keeps to one that was tried.'
      );
      break;
    case 'any':
      report.say('dependency-any', path, '* takes any version', 'A range such as ^1.2.3 keeps to one that was tried.');
      break;
    case 'ipfs':
      reportContent(path, range, rules.content, report);
      break;
    case 'unreadable':
      reportUnreadable(path, range, rules, report);
      break;
    case 'version':
    case 'range':
  }
}

function reportContent(path: Path, range: string, rule: RuleId, report: Report): void {
  if (isContentId(contentIdOf(range) ?? '')) {
    report.say(
      'dependency-ipfs',
      path,
      'A content address as dependency',
      'It is for development. Write a version before you publish.'
    );
  } else {
    const detail = `Found ${found(range)}. What follows /ipfs/ is no content identifier (CID): a character may be missing.`;
    report.say(rule, path, 'The content address cannot be read', detail);
  }
}

function reportUnreadable(path: Path, range: string, rules: RangeRules, report: Report): void {
  if (isContentId(range)) {
    const detail = `Found ${found(range)}. Write /ipfs/${range}.`;
    report.say(rules.hash, path, 'A content address without /ipfs/', detail);
  } else {
    const detail = `Found ${found(range)}. Write ${FORMS}.`;
    report.say(rules.unreadable, path, 'The version of a dependency cannot be read', detail);
  }
}
