import { open } from 'node:fs/promises';

/** Waits until a file is on disk; of a folder, the names in it. */
export async function syncToDisk(name: string): Promise<void> {
  await using handle = await open(name, 'r');
  await handle.sync();
}
