import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The browser that CHROMIUM_PATH names, else one that the system has; undefined leaves the choice to Playwright. */
export function findChromium() {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  if (CHROMIUM_PATH) {
    if (!isExecutable(CHROMIUM_PATH)) {
      throw new Error(`CHROMIUM_PATH is ${CHROMIUM_PATH}, and no program is there`);
    }
    return CHROMIUM_PATH;
  }
  const folders = ['/usr/bin', ...PATH.split(path.delimiter)];
  return NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isExecutable);
}
