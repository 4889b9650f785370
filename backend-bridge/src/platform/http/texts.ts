/** Responses of any length. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Writes texts as the client reads them, and ends the response. Stops when the client is gone. */
export async function writeTexts(res: ServerResponse, texts: AsyncIterable<string | Uint8Array>): Promise<void> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  for await (const text of texts) {
    if (!res.write(text)) {
      await once(res, 'drain', { signal: gone.signal }).catch(() => undefined);
    }
    if (res.destroyed) {
      return;
    }
  }
  res.end();
}
