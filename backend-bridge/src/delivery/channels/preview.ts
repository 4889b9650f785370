/** Shows templates of a channel that is not stored yet. */
import type { TemplatePreview, TemplatePreviewBody } from '../../../contract/channelChange.ts';
import { isoTime } from '../../../contract/text.ts';
import type { SentNotification } from './kinds/channel.ts';
import { linesOf, titleOf } from './kinds/text.ts';
import type { OutboxStore } from './store.ts';
import { type Details, Renderer, requireTemplates } from './templates.ts';

const DETAILS: Details = { labels: { alertname: 'DiskFull', instance: 'nas:9100', severity: 'critical' }, node: '' };
const exampleAt = (now: number): SentNotification => ({
  id: 0,
  timestamp: isoTime(now),
  title: 'Disk full',
  body: '96% of /var is used.',
  category: 'hardware',
  dnpName: 'nas',
  priority: 'critical',
  status: 'triggered',
  correlationId: 'disk-full',
});

/** The newest notification by the templates; an example if the inbox is empty. @param now UTC milliseconds @throws HttpProblem 400 */
export async function previewTemplates(
  templates: TemplatePreviewBody,
  store: Pick<OutboxStore, 'newest'>,
  now: number
): Promise<TemplatePreview> {
  requireTemplates(templates);
  const newest = await store.newest();
  const { notification, details } = newest ?? { notification: exampleAt(now), details: DETAILS };
  const { message, warning } = new Renderer(templates).apply({ ...notification, key: '', ref: undefined }, details);
  return {
    title: titleOf(message),
    text: linesOf(message).join('\n\n'),
    notification: newest?.notification.id ?? null,
    ...(warning !== null && { warning }),
  };
}
