export function pluginVersion(release: string, files: readonly { name: string; data: Uint8Array }[]): string;
