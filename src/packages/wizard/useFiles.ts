import { useState } from 'react';
import { MAX_FILE_LENGTH, type FileKind } from '@nodebell/contract/finding.ts';
import { t } from '../../i18n/t';

/** A character takes at most four bytes, so larger files are rejected without reading them. */
const MOST_BYTES = 4 * MAX_FILE_LENGTH;

/**
 * Reads selected or dropped files.
 * @param onFile called for each file that was read
 * @returns the reader, and an error message for the last files that could not be read
 */
export function useFiles(onFile: (kind: FileKind, text: string) => void) {
  const [problem, setProblem] = useState<string>();
  const read = async (chosen: Iterable<File>) => {
    setProblem(undefined);
    for (const file of chosen) {
      try {
        const text = file.size > MOST_BYTES ? undefined : await file.text();
        if (text === undefined || text.length > MAX_FILE_LENGTH) {
          setProblem(
            t('packages.files.too-long', '{{file}} is too long. The maximum is {{most, number}} characters.', {
              file: file.name,
              most: MAX_FILE_LENGTH,
            })
          );
          continue;
        }
        onFile(fileKind(file.name, text), text);
      } catch {
        setProblem(
          t('packages.files.unreadable', 'Could not read {{file}}. Directories are not supported.', { file: file.name })
        );
      }
    }
  };
  return { problem, read };
}

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
