/** Bodies that are JSON or a form. */
import { MIMEType } from 'node:util';
import type { RequestHandler } from 'express';
import { LIMITS } from '../../../contract/limits.ts';
import { grouped } from '../../../contract/text.ts';
import { rawBody } from '../../platform/http/body.ts';
import { HttpProblem } from '../../platform/http/problem.ts';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how Express lets `res.locals` be typed
  namespace Express {
    interface Locals {
      /** Form fields by name. Undefined: the body is not a form. */
      form?: Record<string, string>;
    }
  }
}

const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** Reads the bytes; those of a form into `res.locals.form` as well, without files. */
export function formBody(): RequestHandler[] {
  const readForm: RequestHandler = async (req, res, next) => {
    const type = req.headers['content-type'] ?? '';
    if (FORMS.some((form) => type.toLowerCase().startsWith(form))) {
      res.locals.form = await parseForm(req.body as Buffer<ArrayBuffer>, type);
    }
    next();
  };
  return [...rawBody({ otherTypes: FORMS }), readForm];
}

/** @throws HttpProblem 400, or 413 */
async function parseForm(bytes: Buffer<ArrayBuffer>, type: string): Promise<Record<string, string>> {
  try {
    checkFields(bytes, type);
    // oxlint-disable-next-line typescript/no-deprecated -- for large bodies: these are bounded, and in memory already
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
    return Object.fromEntries([...form].filter((one): one is [string, string] => typeof one[1] === 'string'));
  } catch (cause) {
    if (cause instanceof HttpProblem) {
      throw cause;
    }
    const allowed = `a form as ${type.split(';')[0]}`;
    const detail = `The body must be ${allowed}.`;
    throw new HttpProblem('malformed', detail, {
      errors: [{ pointer: '#', found: 'other bytes', allowed, detail }],
      cause,
    });
  }
}

/**
 * Before a form is parsed, which is one step of the event loop.
 * @throws HttpProblem 413
 */
function checkFields(bytes: Buffer, type: string): void {
  const { value: most } = LIMITS.formFields;
  const { essence, params } = new MIMEType(type);
  const isMultipart = essence === 'multipart/form-data';
  const separator = isMultipart ? `--${params.get('boundary')}` : '&';
  // The boundary is also at the end.
  let fields = isMultipart ? -1 : 1;
  for (let at = bytes.indexOf(separator); at !== -1; at = bytes.indexOf(separator, at + separator.length)) {
    fields += 1;
    if (fields > most) {
      const allowed = `at most ${grouped(most)} fields`;
      const detail = `The form has more than ${grouped(most)} fields.`;
      throw new HttpProblem('too-large', detail, {
        errors: [{ pointer: '#', found: `more than ${grouped(most)}`, allowed, detail: `Send ${allowed}.` }],
      });
    }
  }
}
