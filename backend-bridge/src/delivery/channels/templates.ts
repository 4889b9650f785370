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
import { MAX_TEMPLATE, TEMPLATES, type TemplateMember } from '../../../contract/channelTypes/common.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { Labels } from '../../../contract/matchers.ts';
import type { ProblemError } from '../../../contract/problem.ts';
import { show } from '../../../contract/text.ts';
import { invalid } from '../../platform/http/problem.ts';
import type { ChannelSettings, Message } from './kinds/channel.ts';
import { cut, durationText, linkOf, maskedDetail, oneLine } from './kinds/text.ts';

/** Members of a notification for templates, besides those of its message. */
export interface Details {
  labels: Labels;
  /** Empty: this one. */
  node: string;
}

export type Templates = Pick<ChannelSettings, TemplateMember>;

/** Without those that read files or write HTML. */
const TAGS = new Set(
  'assign break capture case comment continue cycle decrement echo for if increment liquid raw unless #'.split(' ')
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
    parseLimit: MAX_TEMPLATE,
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
  return function* (value: unknown, ...args: unknown[]): Generator<unknown, unknown> {
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
  if (Array.isArray(value)) {
    return value.map(textOf).join('');
  }
  // Labels as a whole are an object: its name says that there is nothing to show.
  return value == null ? '' : `${value as string}`;
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

const PARTS = [
  ['title', 'titleTemplate', oneLine],
  ['body', 'bodyTemplate', (text: string): string => text.replaceAll(/[^\P{Cc}\n\t]/gu, '').trim()],
] as const;

/** Renders the messages of one channel. Never throws: a template that fails leaves the standard text, as does an empty result. */
export class Renderer {
  readonly #templates: Templates;
  readonly #onFailure: (text: string) => void;
  readonly #parsed = new Map<TemplateMember, Template[]>();
  #last: string | null = null;

  /** @param onFailure called when a template begins to fail, or fails in another way */
  constructor(templates: Templates, onFailure: (text: string) => void = () => undefined) {
    this.#templates = templates;
    this.#onFailure = onFailure;
  }

  /** @returns the message with its texts, and a sentence about templates that failed; null: none */
  apply(message: Message, details: Details = { labels: {}, node: '' }): { message: Message; warning: string | null } {
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
    const warning = failures.join(' ') || null;
    if (warning !== null && warning !== this.#last) {
      this.#onFailure(warning);
    }
    this.#last = warning;
    return { message: { ...message, rendered }, warning };
  }

  #render(member: TemplateMember, text: string, scope: object): string {
    const parsed = this.#parsed.get(member) ?? engine().parse(text);
    this.#parsed.set(member, parsed);
    return cut(String(engine().renderSync(parsed, scope)), LIMITS.channelText.value).toWellFormed();
  }
}

/** Undefined: the channel has no templates. @param onFailure as of {@link Renderer} */
export const rendererOf = (settings: Templates, onFailure: (text: string) => void): Renderer | undefined =>
  TEMPLATES.some((member) => settings[member] !== undefined) ? new Renderer(settings, onFailure) : undefined;

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
