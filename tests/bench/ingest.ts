export async function ingest(): Promise<void> {}
