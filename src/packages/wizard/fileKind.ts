/** Which of a package's files a file is, by its name, else by its content. Pure. */
import type { FileKind } from '@nodebell/contract/finding.ts';

/** Tells the three files apart; what looks like none of them is taken for a manifest, whose judge then says what it lacks. */
export function fileKind(name: string, text: string): FileKind {
  const base = name.toLowerCase();
  if (/compose[^/]*\.(ya?ml|json)$/.test(base)) {
    return 'compose';
  }
  if (/notifications?[^/]*\.(ya?ml|json)$/.test(base)) {
    return 'notifications';
  }
  if (base.endsWith('.json')) {
    return 'manifest';
  }
  return /^services\s*:/m.test(text)
    ? 'compose'
    : /^(endpoints|customEndpoints)\s*:/m.test(text)
      ? 'notifications'
      : 'manifest';
}
