/** Notifications out of flags and of JSON on standard input. Pure. */
import { locateSyntaxError } from '../http/jsonMistake.ts';
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
}

type Payload = Record<string, unknown>;

/** Only what was given: defaults are the bridge's. */
export function fromFlags(flags: PayloadFlags): Payload {
  const { banner, ctaTitle, ctaUrl, ...others } = flags;
  if ((ctaTitle === undefined) !== (ctaUrl === undefined)) {
    throw usageError('--cta-title and --cta-url belong together: the words on the button, and where it leads.');
  }
  const payload: Payload = { ...others };
  if (banner !== undefined) {
    payload.isBanner = banner;
  }
  if (ctaTitle !== undefined) {
    payload.callToAction = { title: ctaTitle, url: ctaUrl };
  }
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
}

/**
 * Reads standard input: one JSON object, a list of them, or one a line (NDJSON).
 * @throws CliError saying where it is none; then nothing has been sent
 */
export function fromText(text: string): Payload[] {
  const trimmed = text.trim();
  if (trimmed === '') {
    throw usageError('Standard input is empty. Give --title and --body, or JSON on standard input.');
  }
  const whole = parse(trimmed);
  const values =
    'value' in whole ? (Array.isArray(whole.value) ? whole.value : [whole.value]) : fromLines(text, whole.mistake);
  return values.map((value, index) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw usageError(
        `Standard input must hold JSON objects, one for each notification; ${values.length > 1 ? `number ${index + 1}` : 'this'} is none.`
      );
    }
    return value as Payload;
  });
}

/** Every line by itself; when not even the first is JSON, the text was meant as a whole. */
function fromLines(text: string, mistake: string): unknown[] {
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }));
  const [first, ...rest] = lines
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => ({ number, ...parse(line) }));
  if (!first || !('value' in first)) {
    throw usageError(`Standard input: ${mistake}`);
  }
  return [first, ...rest].map((read) => {
    if ('value' in read) {
      return read.value;
    }
    throw usageError(`Standard input, line ${read.number}: ${read.mistake}`);
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
