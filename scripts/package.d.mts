/** Writes the archives and their checksums. Throws where something has not been built. */
export function writePackages(out: string): { name: string; bytes: number }[];
