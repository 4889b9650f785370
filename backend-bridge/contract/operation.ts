/** One operation of the HTTP API; api.ts lists them all. */
import type { z } from 'zod';

/** Who may call: `sender` and `admin` by token as NODEBELL_AUTH says; `open`: anybody. */
export type Access = 'sender' | 'admin' | 'open';

/** An operation of the HTTP API, from which OpenAPI is generated. */
export interface Operation {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With `{parameters}`. */
  path: string;
  id: string;
  tag:
    | 'Notifications'
    | 'Respond'
    | 'Events'
    | 'Webhooks'
    | 'Categories'
    | 'Packages'
    | 'Thresholds'
    | 'Chains'
    | 'Channels'
    | 'Senders'
    | 'Service';
  summary: string;
  access: Access;
  parameters?: Record<string, string>;
  query?: z.ZodObject;
  headers?: Record<string, string>;
  /** JSON unless a media type is said. */
  body?: { schema?: z.ZodType; optional?: boolean; description?: string; mediaType?: string };
  /** By status; the media type is JSON unless said. `otherTypes`: what a parameter can select instead. */
  responses: Record<
    number,
    { description: string; schema?: z.ZodType; mediaType?: string; otherTypes?: readonly string[] }
  >;
  /** Statuses of problem documents, besides those that any operation can have. */
  problems: number[];
}
