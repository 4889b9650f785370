/** Detects the kind of a package file by name, then by content. Pure. */
import type { FileKind } from '@nodebell/contract/finding.ts';

/** Returns the kind of a file. Unrecognized files are treated as a manifest, whose validation reports the problem. */
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
