/** Selects the store of a command: by flags, the environment or a file. Passwords are not taken from the command line. */
import path from 'node:path';
import type { Place } from '../../platform/backup/place.ts';
import { postgresPlace } from '../../platform/backup/postgres.ts';
import { sqlitePlace } from '../../platform/backup/sqlite.ts';
import { type CliIo, readTrimmed, usageError } from '../shared/io.ts';

const DATABASE_URL = 'NODEBELL_DATABASE_URL';
const isUrl = (text: string): boolean => /^postgres(?:ql)?:/i.test(text);

/** The store of the bridge whose environment this is. */
export function configuredStore({ dataDir }: { dataDir?: string }, io: CliIo): Place {
  const url = dataDir === undefined ? variable(DATABASE_URL, io) : undefined;
  return url === undefined
    ? sqlitePlace(path.resolve(dataDir ?? variable('NODEBELL_DATA_DIR', io) ?? './data'))
    : place(url);
}

/**
 * @param given a data folder, its nodebell.db, a URL, or `$NAME` of an environment variable with one of them
 * @param file a file that contains it
 * @param flag for messages
 */
export function namedStore(given: string | undefined, io: CliIo, file?: string, flag = '--into'): Place {
  if ((given === undefined) === (file === undefined)) {
    throw usageError(`one of ${flag} and ${flag}-file is required.`);
  }
  if (file !== undefined) {
    return place(readTrimmed(file, io));
  }
  const name = /^\$(\w+)$/.exec(given ?? '')?.[1];
  if (name !== undefined) {
    const value = variable(name, io);
    if (value === undefined) {
      throw usageError(`the environment variable ${name} is not set.`);
    }
    return place(value);
  }
  if (isUrl(given!) && URL.parse(given!)?.password) {
    throw usageError(
      `${flag} contains a password, which other users could see. Use ${flag} '$${DATABASE_URL}' or ${flag}-file.`
    );
  }
  return place(given!);
}

function place(text: string): Place {
  if (isUrl(text)) {
    if (!URL.canParse(text)) {
      // The error of the parser would quote it, with its password.
      throw usageError(
        'the URL of the database (not shown) is not like postgres://user:password@host:5432/database. Percent-encode special characters in the password.'
      );
    }
    return postgresPlace(text);
  }
  const isFile = path.basename(text) === 'nodebell.db';
  if (!isFile && /\.(?:db|sqlite3?)$/.test(text)) {
    throw usageError(`a store is a data folder or its nodebell.db, found ${text}.`);
  }
  return sqlitePlace(path.resolve(isFile ? path.dirname(text) : text));
}

/** A setting, read like the bridge does: the variable, or the file that `…_FILE` names. */
function variable(name: string, io: CliIo): string | undefined {
  const file = io.env[`${name}_FILE`];
  return io.env[name] || (file ? readTrimmed(file, io) : undefined);
}
