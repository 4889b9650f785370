/** Addresses and responses of a homeserver. Source: Matrix client-server API, "API standards", "Rate limiting". */
import { z } from 'zod';
import { urlSegment } from '../../../../contract/url.ts';
import type { OutboundAnswer } from '../../../platform/http/outbound.ts';
import { jsonOf, withoutSlash } from './http.ts';
import { maskedDetail } from './text.ts';

export const matrixUrl = (url: string, path: readonly string[]): string =>
  `${withoutSlash(url)}/_matrix/client/v3/${path.map(urlSegment).join('/')}`;

const errorSchema = z.looseObject({ errcode: z.string().optional(), error: z.string().optional() });

/** `errcode` and `error` of a homeserver's response; empty: it has none. */
export function matrixError(answer: OutboundAnswer, token: string): string {
  const { errcode, error } = errorSchema.safeParse(jsonOf(answer)).data ?? {};
  return maskedDetail([errcode, error].filter((one) => one !== undefined).join(': '), token);
}
