/** Files that are named one by one. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { FILE_KINDS, type FileKind } from '../../../contract/finding.ts';
import { judgeNotifications } from '../../validation/notifications/validateNotifications.ts';
import { readCompose } from '../../validation/readCompose.ts';
import { readFileWithin } from '../../packageFiles/readFile.ts';
import { kindOf } from '../../packageFiles/readPackageFolder.ts';
import type { PackageFile, PackageFolder } from '../../packageFiles/types.ts';
import type { Refuse, Say } from './types.ts';

/** The named files of one folder, by kind. */
type Level = Record<FileKind, PackageFile[]>;

/**
 * Reads files that are named. A manifest is returned with the compose and the notifications file that are named beside it, as the
 * package that they are; what has no single manifest beside it is judged by itself.
 */
export async function readNamed(paths: readonly string[], say: Say, refuse: Refuse): Promise<PackageFolder[]> {
  const levels = new Map<string, Level>();
  for (const given of new Set(paths.map((one) => path.resolve(one)))) {
    // A file that is named may be a link to anywhere.
    const real = await realpath(given).catch(() => given);
    const file = await readFileWithin(path.dirname(real), path.basename(real));
    if ('message' in file) {
      refuse(given, file.message);
      continue;
    }
    say(given, file.text, []); // in the order in which they were named
    const dir = path.dirname(given);
    const level = levels.get(dir) ?? { manifest: [], notifications: [], compose: [] };
    levels.set(dir, level);
    level[kindOf(path.basename(given))].push({ path: path.basename(given), text: file.text });
  }
  return [...levels].flatMap(([dir, level]) => packagesOf(dir, level, say));
}

/** Which of two files belongs to a manifest, or to which of two manifests a file, cannot be told. */
function packagesOf(dir: string, level: Level, say: Say): PackageFolder[] {
  const isOne = level.manifest.length === 1;
  const joined = (kind: FileKind): PackageFile[] => (isOne && level[kind].length === 1 ? level[kind] : []);
  for (const kind of FILE_KINDS) {
    if (kind !== 'manifest' && joined(kind).length === 0) {
      const judge = kind === 'compose' ? readCompose : judgeNotifications;
      level[kind].forEach((file) => say(path.join(dir, file.path), file.text, judge(file.text).findings));
    }
  }
  return level.manifest.map((manifest) => {
    const sources = { manifest: [manifest], notifications: joined('notifications'), compose: joined('compose') };
    const [notifications] = sources.notifications;
    const [compose] = sources.compose;
    return {
      dir,
      texts: {
        manifest: manifest.text,
        ...(notifications && { notifications: notifications.text }),
        ...(compose && { compose: compose.text }),
      },
      sources,
      dashboards: [],
      problems: [],
    };
  });
}
