/**
 * Webhook body of Gatus' `custom` alert provider. Gatus has no format of its own: it replaces placeholders in a text that the operator
 * writes. This is the text that Nodebell recommends, and writes itself.
 *
 * Placeholders are replaced as plain text. Gatus refuses `"` and `\` in names, groups and alert descriptions and escapes `"`
 * (not `\`) in errors, but copies URLs and conditions as they are, so a condition such as `[BODY].state == "up"` makes JSON
 * that no parser takes (TwiN/gatus#951). {@link GATUS_LAYOUT} marks the body as one of these, so that it can take the
 * values as they were before.
 *
 * ```yaml
 * alerting:
 *   custom:
 *     url: http://127.0.0.1:8080/api/v1/webhooks/gatus
 *     method: POST # Gatus would send a GET
 *     headers: { Content-Type: application/json }
 *     body: '<GATUS_BODY, in single quotes>'
 * ```
 * One provider serves all endpoints; an alert's `provider-override.body` may hold the {@link gatusBody} of its endpoint.
 */
import { z } from 'zod';
import { looseComponent } from './schema.ts';
import { callToActionSchema, PRIORITIES, type Priority } from './notification.ts';

/** The value of `gatus.layout`: members inside `gatus` were written by plain substitution, in the order of {@link gatusBody}. */
export const GATUS_LAYOUT = 'nodebell-gatus-1';

/** Facts about an endpoint that are known when the configuration is written. Each may contain Gatus' placeholders. */
export interface GatusFixed {
  title?: string | undefined;
  /** Default: the description of the alert. */
  body?: string | undefined;
  category?: string | undefined;
  dnpName?: string | undefined;
  correlationId?: string | undefined;
  priority?: Priority | undefined;
  isBanner?: boolean | undefined;
  callToAction?: { title: string; url: string } | undefined;
}

/**
 * The `body` of Gatus' custom alert provider. Left out, a member is taken from the endpoint: its name is the title, its
 * group the category. Gatus knows no severity; `high` stands where none is given.
 * @returns one line; in YAML, put it in single quotes and double those within, and double every `$` (Gatus expands `$NAME`)
 */
export function gatusBody(fixed: GatusFixed = {}): string {
  const { callToAction: link } = fixed;
  // The order counts: values are distinguished by the names that follow them. isBanner is text for the same reason.
  const head = {
    title: fixed.title ?? '[ENDPOINT_NAME]',
    body: fixed.body ?? '[ALERT_DESCRIPTION]',
    category: fixed.category ?? '[ENDPOINT_GROUP]',
    dnpName: fixed.dnpName ?? 'gatus',
    correlationId: fixed.correlationId ?? '[ENDPOINT_GROUP]_[ENDPOINT_NAME]',
    priority: fixed.priority ?? 'high',
    status: '[ALERT_TRIGGERED_OR_RESOLVED]',
    isBanner: String(fixed.isBanner ?? false),
    ...(link && { callToAction: { url: link.url, title: link.title } }),
    gatus: {
      layout: GATUS_LAYOUT,
      endpoint: '[ENDPOINT_NAME]',
      group: '[ENDPOINT_GROUP]',
      url: '[ENDPOINT_URL]',
      errors: '[RESULT_ERRORS]',
      conditions: '[RESULT_CONDITIONS]',
    },
  };
  return JSON.stringify(head);
}

/** The body for a provider that serves every endpoint. */
export const GATUS_BODY = gatusBody();

const text = (what: string) => z.string().nullish().describe(what);

export const gatusWebhookSchema = looseComponent(
  'GatusWebhook',
  'Webhook body of Gatus as recommended; at least a title or an endpoint.',
  {
    title: text('Title of the notification. Default: the name of the endpoint.'),
    body: text('The text, in Markdown. Errors and failing conditions are added to it.'),
    category: text('Groups notifications by type.'),
    dnpName: text('The package that the endpoint belongs to.'),
    correlationId: text('Joins TRIGGERED and RESOLVED. Default: group and name of the endpoint.'),
    priority: text(`How soon a person should act: ${PRIORITIES.join(', ')}, or a severity.`),
    status: text('TRIGGERED or RESOLVED, or what they are mapped to in Gatus.').meta({ examples: ['TRIGGERED'] }),
    isBanner: z.union([z.boolean(), z.string()]).nullish().describe('Show a banner; "true" and "false" are read too.'),
    // Not checked here: a link that must not be offered is dropped with a note, so that the alert still arrives.
    callToAction: z
      .looseObject({ title: text('The title of the button.'), url: text('Where it leads.') })
      .nullish()
      .describe(callToActionSchema.description ?? ''),
    icon: text('Icon of the notification.'),
    errors: text('Read as `gatus.errors`: what Gatus found, not an error of delivery.'),
    gatus: z
      .looseObject({
        layout: text(`"${GATUS_LAYOUT}" when the body was written by the recommended template.`),
        endpoint: text('Name of the endpoint.'),
        group: text('Group of the endpoint.'),
        url: text('The name of what is monitored.'),
        errors: text('Errors of the check, separated by commas.'),
        conditions: text('Conditions of the check, each with its outcome.'),
      })
      .nullish()
      .describe('The endpoint, from Gatus.'),
  }
);
export type GatusWebhook = z.output<typeof gatusWebhookSchema>;
