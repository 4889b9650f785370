/** Writes the archives and their checksums. Throws if the plugin or the bridge has not been built. */
export function writePackages(out: string): Promise<{ name: string; bytes: number }[]>;
