/** Notifications from flags and from standard input, for `nodebell send`. */
import { compact } from '../../../contract/compact.ts';
import { locateSyntaxError } from '../../platform/http/jsonMistake.ts';
import { usageError } from './io.ts';

export interface PayloadFlags {
  title?: string;
  body?: string;
  category?: string;
  dnpName?: string;
  priority?: string;
  status?: string;
  correlationId?: string;
  banner?: boolean;
  ctaTitle?: string;
  ctaUrl?: string;
  errors?: string;
  icon?: string;
  node?: string;
  resolveAfter?: string;
}

type Payload = Record<string, unknown>;

/** Only the given flags: the bridge applies the defaults. */
export function fromFlags(flags: PayloadFlags): Payload {
  const { banner, ctaTitle, ctaUrl, ...others } = flags;
  if ((ctaTitle === undefined) !== (ctaUrl === undefined)) {
    throw usageError('--cta-title and --cta-url must be used together.');
  }
  const payload: Payload = { ...others };
  if (banner !== undefined) {
    payload.isBanner = banner;
  }
  if (ctaTitle !== undefined) {
    payload.callToAction = { title: ctaTitle, url: ctaUrl };
  }
  return compact(payload);
}

/**
 * Parses standard input: a JSON object, an array, or one object per line (NDJSON).
 * @throws CliError with the position of the first error; nothing has been sent then
 */
export function fromText(text: string): Payload[] {
  const trimmed = text.trim();
  if (trimmed === '') {
    throw usageError('standard input is empty. Use --title and --body, or pass JSON on standard input.');
  }
  const whole = parse(trimmed);
  const values =
    'value' in whole ? (Array.isArray(whole.value) ? whole.value : [whole.value]) : fromLines(text, whole.mistake);
  if (values.length === 0) {
    throw usageError('standard input contains an empty list: there is nothing to send.');
  }
  return values.map((value, index) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw usageError(
        `standard input must contain JSON objects; ${values.length > 1 ? `number ${index + 1}` : 'this'} is not an object.`
      );
    }
    return value as Payload;
  });
}

/** Parses each line; if the first one is not JSON, reports the error of the whole text. */
function fromLines(text: string, mistake: string): unknown[] {
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }));
  const [first, ...rest] = lines
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => ({ number, ...parse(line) }));
  if (!first || !('value' in first)) {
    throw usageError(`standard input: ${mistake}`);
  }
  return [first, ...rest].map((read) => {
    if ('value' in read) {
      return read.value;
    }
    throw usageError(`standard input, line ${read.number}: ${read.mistake}`);
  });
}

function parse(text: string): { value: unknown } | { mistake: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return {
      mistake: locateSyntaxError(text, error).message.replace('The body is', 'it is').replace('end of the body', 'end'),
    };
  }
}
