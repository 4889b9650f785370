/**
 * Titles and texts of messages by the templates of a channel, in Liquid (https://liquidjs.com). Templates are written by admins, but what
 * they show comes from senders: time, memory and output are bounded, and only listed tags and filters exist.
 */
import {
  type Context,
  type Emitter,
  type FilterImplOptions,
  Liquid,
  LiquidError,
  type Template,
  toValue,
} from 'liquidjs';
import { TEMPLATES, type TemplateMember } from '../../../contract/channelTypes/common.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { Labels } from '../../../contract/matchers.ts';
import type { ProblemError } from '../../../contract/problem.ts';
import { show } from '../../../contract/text.ts';
import { invalid } from '../../platform/http/problem.ts';
import type { ChannelSettings, Message } from './kinds/channel.ts';
import { cut, durationText, linkOf, maskedDetail, oneLine } from './kinds/text.ts';

/** What templates show of a notification besides the members of its message. */
export interface Details {
  labels: Labels;
  /** Empty: this one. */
  node: string;
}

export type Templates = Pick<ChannelSettings, TemplateMember>;

/** Without those that read files or write HTML. */
const TAGS = new Set(
  ['assign', 'break', 'capture', 'case', 'comment', 'continue', 'cycle', 'decrement', 'echo', 'for', 'if'].concat([
    'increment',
    'liquid',
    'raw',
    'unless',
    '#',
  ])
);
/** Without those that evaluate expressions, or build lists of lists: their size as text is not bounded. */
const FILTERS = new Set(
  [
    'abs at_least at_most ceil divided_by floor minus modulo plus round times',
    'append capitalize default downcase lstrip normalize_whitespace number_of_words prepend remove remove_first',
    'remove_last replace replace_first replace_last rstrip slice squish strip strip_html strip_newlines truncate',
    'truncatewords upcase url_decode url_encode escape json',
    'compact first join last reverse size sort sort_natural split uniq',
    'date date_to_long_string date_to_rfc822 date_to_string date_to_xmlschema',
  ].flatMap((names) => names.split(' '))
);

let shared: Liquid | undefined;
const engine = (): Liquid => (shared ??= createEngine());

function createEngine(): Liquid {
  const liquid = new Liquid({
    // There are no files.
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    locale: 'en',
    parseLimit: LIMITS.channelTemplate.value,
    renderLimit: LIMITS.templateTime.value,
    memoryLimit: LIMITS.templateMemory.value,
  });
  for (const name of Object.keys(liquid.tags).filter((one) => !TAGS.has(one))) {
    delete liquid.tags[name];
  }
  for (const [name, filter] of Object.entries(liquid.filters)) {
    if (FILTERS.has(name)) {
      liquid.registerFilter(name, limited(filter));
    } else {
      liquid.unregisterFilter(name);
    }
  }
  const { renderer } = liquid;
  const render = renderer.renderTemplates.bind(renderer);
  // The tag `capture` renders without an emitter too.
  renderer.renderTemplates = (templates, context, emitter = emitterFor(context)) => render(templates, context, emitter);
  return liquid;
}

/** The library checks the time between tags only, and counts no memory for some filters. */
function limited(filter: FilterImplOptions): FilterImplOptions {
  const handler = typeof filter === 'function' ? filter : filter.handler;
  return function* (value, ...args): Generator<unknown, unknown> {
    const { renderLimit, memoryLimit } = this.context;
    renderLimit.check(performance.now());
    const result: unknown = yield handler.call(this, value, ...args);
    memoryLimit.use(typeof result === 'string' || Array.isArray(result) ? result.length : 0);
    return result;
  };
}

/** Collects the output, which counts as memory. */
const emitterFor = ({ memoryLimit }: Context): Emitter => ({
  buffer: '',
  write(value) {
    const text = textOf(value);
    memoryLimit.use(text.length);
    this.buffer += text;
  },
});

function textOf(given: unknown): string {
  const value: unknown = toValue(given);
  return Array.isArray(value) ? value.map(textOf).join('') : String(value ?? '');
}

/** `line 1, column 4: tag "x" not found` */
function reasonOf(error: unknown): string {
  const { message } = error as Error;
  if (!LiquidError.is(error)) {
    return maskedDetail(message);
  }
  const [line, column] = error.token.getPosition() as [number, number];
  return `line ${line}, column ${column}: ${maskedDetail(message.replace(/, line:\d+, col:\d+$/, ''))}`;
}

/** Syntax errors, with their positions. */
export const templateErrors = (templates: Templates): (ProblemError & { member: TemplateMember })[] =>
  TEMPLATES.flatMap((member) => {
    const text = templates[member];
    if (text === undefined) {
      return [];
    }
    try {
      engine().parse(text);
      return [];
    } catch (error) {
      const detail = `Invalid template: ${reasonOf(error)}.`;
      return { member, pointer: `/${member}`, found: show(text), allowed: 'a Liquid template', detail };
    }
  });

/** @throws HttpProblem 400 for syntax errors */
export function requireTemplates(templates: Templates): void {
  const errors = templateErrors(templates).map(({ member: _member, ...error }) => error);
  if (errors.length > 0) {
    throw invalid(errors, 'the body');
  }
}

export const hasTemplates = (templates: Templates): boolean =>
  TEMPLATES.some((member) => templates[member] !== undefined);

const PARTS = [
  ['title', 'titleTemplate', oneLine],
  ['body', 'bodyTemplate', (text: string): string => text.replaceAll(/[^\P{Cc}\n\t]/gu, '').trim()],
] as const;

/** Renders the messages of one channel. Never throws: a template that fails leaves the standard text, as does an empty result. */
export class Renderer {
  readonly #templates: Templates;
  readonly #parsed = new Map<TemplateMember, Template[]>();

  constructor(templates: Templates) {
    this.#templates = templates;
  }

  /** @returns what to add to the message; `failure`: a sentence about templates that failed */
  render(message: Message, details: Details): Pick<Message, 'rendered'> & { failure?: string } {
    const rendered: NonNullable<Message['rendered']> = {};
    const failures: string[] = [];
    for (const [part, member, cleaned] of PARTS) {
      const text = this.#templates[member];
      try {
        const result = text === undefined ? '' : cleaned(this.#render(member, text, scopeOf(message, details)));
        if (result !== '') {
          rendered[part] = result;
        }
      } catch (error) {
        failures.push(`${member} failed: ${reasonOf(error)}. The standard text is used.`);
      }
    }
    return { rendered, ...(failures.length > 0 && { failure: failures.join(' ') }) };
  }

  #render(member: TemplateMember, text: string, scope: object): string {
    const parsed = this.#parsed.get(member) ?? engine().parse(text);
    this.#parsed.set(member, parsed);
    return cut(String(engine().renderSync(parsed, scope)), LIMITS.channelText.value).toWellFormed();
  }
}

/** Variables of templates: docs/channels.md. */
function scopeOf(message: Message, { labels, node }: Details): object {
  const { title, body, category, dnpName, priority, status, timestamp, correlationId, lastedMs } = message;
  return {
    ...{ title, body, category, priority, status, timestamp, correlationId, labels },
    // An empty text is true in Liquid.
    node: node === '' ? undefined : node,
    package: dnpName,
    callToAction: linkOf(message),
    lasted: lastedMs === undefined ? undefined : durationText(lastedMs),
  };
}
