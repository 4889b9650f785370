/** Cut to so many letters, at the end of a word where there is one, and not within an emoji. */
export function cut(text: string, most: number): string {
  if (text.length <= most) {
    return text;
  }
  const part = text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '');
  const end = part.lastIndexOf(' ');
  return `${(end > most / 2 ? part.slice(0, end) : part).trimEnd()}…`;
}
