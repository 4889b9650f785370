import { useState } from 'react';
import { MAX_FILE_LENGTH, type FileKind } from '@nodebell/contract/finding.ts';
import { t } from '../../i18n/t';
import { fileKind } from './fileKind';

/** A character has at most four bytes, so a larger file is too long without being read. */
const MOST_BYTES = 4 * MAX_FILE_LENGTH;

/**
 * Reads files that were chosen or dropped.
 * @param onFile hears each that could be read
 * @returns why the last ones could not be, in words
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
