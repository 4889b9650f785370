/** `/openapi.json` and `/schemas/{name}.json`. Each is made when it is first requested. */
import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type { SERVICE } from '../../../contract/api/service.ts';
import { openapiDocument, publishedSchema, SCHEMA_NAMES } from './openapi.ts';
import { HttpProblem } from './problem.ts';
import type { Handlers } from './serve.ts';

interface PublishedDocument {
  bytes: Buffer;
  /** RFC 9110, section 8.8.3: strong. */
  etag: string;
  type: string;
}

/** @param version of the bridge */
export function documentHandlers(version: string): Handlers<Pick<typeof SERVICE, 'openapi' | 'schema'>> {
  let openapi: PublishedDocument | undefined;
  const schemas = new Map<string, PublishedDocument>();
  return {
    openapi({ res }) {
      sendDocument(res, (openapi ??= serialise(openapiDocument(version), 'application/json; charset=utf-8')));
    },
    schema({ params: { name }, res }) {
      if (!SCHEMA_NAMES.includes(name)) {
        throw new HttpProblem('not-found', `Unknown schema. Available: ${SCHEMA_NAMES.join(', ')}.`);
      }
      const schema = schemas.get(name) ?? serialise(publishedSchema(name), 'application/schema+json; charset=utf-8');
      schemas.set(name, schema);
      sendDocument(res, schema);
    },
  };
}

function serialise(document: unknown, type: string): PublishedDocument {
  const bytes = Buffer.from(JSON.stringify(document));
  return { bytes, type, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}

/** Express compares If-None-Match with the ETag, and sends 304 when it matches. */
function sendDocument(res: Response, { bytes, etag, type }: PublishedDocument): void {
  res.set({ ETag: etag, 'Cache-Control': 'no-cache', 'Content-Type': type }).send(bytes);
}
