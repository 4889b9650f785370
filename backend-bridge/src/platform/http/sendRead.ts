/** Responses that are read from the store: see {@link Reads}. */
import type { Response } from 'express';
import type { Answer, Read, Reads } from '../storage/read.ts';

/** A read for a response: it is dropped if the client is gone when its turn comes. */
export const readFor = <A, R extends Answer>(reads: Reads, res: Response, read: Read<A, R>, args: A): Promise<R> =>
  reads.run(read, args, () => !res.destroyed);

export function sendBody(res: Response, body: Uint8Array<ArrayBuffer>, type = 'application/json'): void {
  res.type(type).send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
}

/** Sends what a read returns, as JSON. @returns false if it returned none, and nothing was sent */
export async function sendRead<A>(reads: Reads, res: Response, read: Read<A>, args: A): Promise<boolean> {
  const { body } = await readFor(reads, res, read, args);
  if (body) {
    sendBody(res, body);
  }
  return body !== undefined;
}
