/** Writes as text: each is serialised once, when it is submitted. */
import { LIMITS } from '../../contract/limits.ts';
import type { WriteArgs, WriteName } from './writes.ts';

/**
 * Writes with a list of any length. A long one is cut into slices that run one after another in the same transaction, so
 * that the writer never holds more than one slice as objects. The results of the slices are joined.
 */
const LISTS: { readonly [N in WriteName]?: keyof WriteArgs<N> & string } = { receive: 'incoming' };

const call = (name: string, args: string): string => `{"name":"${name}","args":${args}}`;

/** @returns the call as JSON; several slices when it holds a long list */
export function serialise<N extends WriteName>(
  name: N,
  args: WriteArgs<N>,
  sliceBytes: number = LIMITS.sliceBytes.value
): string[] {
  const key = LISTS[name];
  const members = args as Record<string, unknown>;
  const list = key === undefined ? undefined : members[key];
  if (key === undefined || !Array.isArray(list) || list.length <= 1) {
    return [call(name, JSON.stringify(args))];
  }
  const { [key]: _list, ...rest } = members;
  const others = JSON.stringify(rest).slice(0, -1);
  const start = `${others}${others === '{' ? '' : ','}${JSON.stringify(key)}:[`;
  return cut(list, sliceBytes).map((items) => call(name, `${start}${items}]}`));
}

/** Items as JSON, joined by commas, in pieces of about this many characters; a larger item is a piece of its own. */
function cut(list: unknown[], size: number): string[] {
  const pieces: string[] = [];
  let items: string[] = [];
  let length = 0;
  for (const item of list) {
    const text = JSON.stringify(item);
    if (items.length > 0 && length + text.length > size) {
      pieces.push(items.join(','));
      items = [];
      length = 0;
    }
    items.push(text);
    length += text.length + 1;
  }
  pieces.push(items.join(','));
  return pieces;
}
