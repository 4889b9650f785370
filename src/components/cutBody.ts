/** From here on a body is long. */
const LONG = 2400;
const SHOWN = 1600;

/** The beginning of a long body, cut between lines or words, with its code block closed; a short one as it is. Pure. */
export function cutBody(text: string): string {
  if (text.length <= LONG) {
    return text;
  }
  const head = text.slice(0, SHOWN);
  const at = Math.max(head.lastIndexOf('\n'), head.lastIndexOf(' '));
  const cut = at > SHOWN / 2 ? head.slice(0, at) : [...head].slice(0, -1).join('');
  const fences = cut.match(/^[ \t]*```/gm)?.length ?? 0;
  return fences % 2 === 1 ? `${cut}\n\`\`\`\n\n…` : `${cut} …`;
}
