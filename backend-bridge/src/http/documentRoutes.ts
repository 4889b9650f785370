/** `/openapi.json` and `/schemas/{name}.json`: they change with the version only, so each is serialised once. */
import { createHash } from 'node:crypto';
import { type Response, Router } from 'express';
import type { Guard } from './auth.ts';
import { openapiDocument, publishedSchema, SCHEMA_NAMES } from './openapi.ts';
import { HttpProblem } from './problem.ts';

interface PublishedDocument {
  bytes: Buffer;
  /** RFC 9110, section 8.8.3: strong. */
  etag: string;
  type: string;
}

/**
 * To be mounted at /api/v1.
 * @param version of the bridge
 */
export function documentRoutes(guard: Pick<Guard, 'open'>, version: string): Router {
  const router = Router();
  const openapi = serialise(openapiDocument(version), 'application/json; charset=utf-8');
  /** Filled as they are requested: all together would delay the start. */
  const schemas = new Map<string, PublishedDocument>();
  router.get('/openapi.json', guard.open, (_req, res) => sendDocument(res, openapi));
  router.get('/schemas/:name.json', guard.open, (req, res) => {
    const name = String(req.params.name);
    if (!SCHEMA_NAMES.includes(name)) {
      throw new HttpProblem('not-found', `There is no such schema. There are: ${SCHEMA_NAMES.join(', ')}.`);
    }
    const schema = schemas.get(name) ?? serialise(publishedSchema(name), 'application/schema+json; charset=utf-8');
    schemas.set(name, schema);
    sendDocument(res, schema);
  });
  return router;
}

function serialise(document: unknown, type: string): PublishedDocument {
  const bytes = Buffer.from(JSON.stringify(document));
  return { bytes, type, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}

/** Express compares If-None-Match with the ETag, and sends 304 when it matches. */
function sendDocument(res: Response, { bytes, etag, type }: PublishedDocument): void {
  res.set({ ETag: etag, 'Cache-Control': 'no-cache', 'Content-Type': type }).send(bytes);
}
