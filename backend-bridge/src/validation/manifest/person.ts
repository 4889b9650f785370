/** An author or a contributor. */
import { type Person } from '../../../contract/package.ts';
import { safeLink } from '../../../contract/text.ts';

export interface ReadPerson {
  person: Person;
  /** What is wrong with it, for a sentence; undefined when all is well. */
  wrong?: string;
}

/** Longer text is not taken apart. */
const MAX_LENGTH = 500;

/**
 * Reads `name <e-mail> (address)` (specification, Manifest, author). The address may be absent; a name alone is read too,
 * and so is any text: what cannot be taken apart is the name.
 */
export function readPerson(text: string): ReadPerson {
  const [, name = '', email, link] =
    text.length > MAX_LENGTH ? [] : (/^([^<>]*?)\s*(?:<([^<>]*)>)?\s*(?:\(([^()<>]*)\))?$/.exec(text.trim()) ?? []);
  const url = link === undefined ? undefined : safeLink(link);
  const person: Person = {
    name: name === '' ? text : name,
    ...(email !== undefined && isEmail(email) && { email }),
    ...(url !== undefined && url.startsWith('http') && { url }),
    text,
  };
  const wrong = mistake(name, email, link, person);
  return wrong === undefined ? { person } : { person, wrong };
}

function mistake(
  name: string,
  email: string | undefined,
  link: string | undefined,
  person: Person
): string | undefined {
  if (name === '') {
    return 'It cannot be taken apart: look for a bracket that is not closed.';
  }
  if (email === undefined) {
    return 'The e-mail address is missing.';
  }
  if (person.email === undefined) {
    return 'What stands in < > is no e-mail address.';
  }
  if (link !== undefined && person.url === undefined) {
    return 'What stands in ( ) is no address of the web.';
  }
  return undefined;
}

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);
