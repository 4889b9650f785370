/** Templates of title and text, of a whole bridge with receivers on this machine. */
import { expect, test } from 'vitest';
import type { TemplatePreview } from '../../backend-bridge/contract/channelChange.ts';
import { startNtfy } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { startTelegram } from '../../backend-bridge/src/delivery/channels/telegram.testing.ts';
import {
  bridgeWith,
  CHANNELS,
  closing,
  listOf,
  LOCAL,
  routesTo,
  send,
  setRoutes,
  until,
} from './channelsPage.testing.ts';
import { Folder } from './provisioning.testing.ts';

const FAILING = '{% for i in (1..labels.n) %}{{ i }}{% endfor %}';

test('a template that fails sends the standard text, and the channel shows it until a message is rendered', async () => {
  const ntfy = await closing(startNtfy());
  const bridge = await bridgeWith();
  const push = { name: 'push', type: 'ntfy', url: ntfy.url, topic: 't' };
  const templates = { titleTemplate: '{{ labels["a.b"] }}: {{ title }}', bodyTemplate: FAILING };
  expect((await bridge.request('POST', CHANNELS, { ...push, ...templates })).status).toBe(204);
  await setRoutes(bridge, routesTo('push'));
  const warning = async () => (await listOf(bridge)).channels[0]?.warning;
  expect(await warning()).toBeUndefined();

  const { id } = await bridge.send({ title: 'T', body: 'B', labels: { 'a.b': 'x', n: '1000000000' } });
  await until(() => expect(ntfy.accepted).toHaveLength(1));
  expect(ntfy.accepted[0]!.json).toMatchObject({ title: 'x: T', message: 'B\n\nunknown · other' });
  const reason = 'bodyTemplate failed: line 1, column 1: memory alloc limit exceeded. The standard text is used.';
  await until(async () => expect(await warning()).toBe(reason));
  const [channel] = (await listOf(bridge)).channels;
  expect(channel).toMatchObject({ state: 'ok', lastFailure: null, waiting: 0, undelivered: 0, settings: templates });
  const { deliveries } = await bridge.call<{ deliveries: object[] }>('GET', `/api/v1/notifications/${id}`);
  expect(deliveries).toMatchObject([{ channel: 'push', state: 'sent', attempts: 0, reason }]);

  await bridge.send({ title: 'T', body: 'B', labels: { n: '3' } });
  await until(() => expect(ntfy.accepted).toHaveLength(2));
  expect(ntfy.accepted[1]!.json).toMatchObject({ title: ': T', message: '123' });
  await until(async () => expect(await warning()).toBeUndefined());
});

test('what a template shows is no markup of the service', async () => {
  const telegram = await closing(startTelegram('123:abc'));
  const folder = await Folder.make({
    'c.yaml': `
apiVersion: 1
channels:
  - name: phone
    type: telegram
    url: '${telegram.url}'
    token: '123:abc'
    chatId: 1
    titleTemplate: '{{ title }} <i>'
    bodyTemplate: |
      {% if status == "resolved" -%} Again well {%- else -%} <a href="https://x.org">{{ labels.instance }}</a> {%- endif %}
routes: [{ channels: [phone] }]`,
  });
  const { bridge } = await folder.start({}, LOCAL);
  const alert = { title: '<b>T</b>', body: 'B', correlationId: 'disk', labels: { instance: '<nas>' } };
  await bridge.send({ ...alert, status: 'triggered' });
  await until(() => expect(telegram.accepted).toHaveLength(1));
  expect(telegram.accepted[0]!.json.text).toBe(
    '<b>&lt;b&gt;T&lt;/b&gt; &lt;i&gt;</b>\n&lt;a href=&quot;https://x.org&quot;&gt;&lt;nas&gt;&lt;/a&gt;'
  );
  await bridge.send({ ...alert, status: 'resolved' });
  await until(() => expect(telegram.accepted).toHaveLength(2));
  expect(telegram.accepted[1]!.json.text).toMatch(/\nAgain well$/);
});

test('a syntax error is found when a channel is saved, tested or previewed, and when a file is read', async () => {
  const folder = await Folder.make({
    'c.yaml': `
apiVersion: 1
channels:
  - { name: push, type: ntfy, topic: t }
  - { name: other, type: ntfy, topic: t, titleTemplate: '{{ title | shout }}' }`,
  });
  const running = await folder.start({}, LOCAL);
  const { bridge } = running;
  expect(await running.file('c.yaml')).toMatchObject({
    state: 'failed',
    findings: [{ rule: 'channel', line: 5, detail: 'Invalid template: line 1, column 1: undefined filter: shout.' }],
  });
  const bad = { bodyTemplate: 'one\n{% if title %}two' };
  const push = { name: 'push', type: 'ntfy', topic: 't' };
  for (const [where, body] of [
    [CHANNELS, { ...push, ...bad }],
    [`${CHANNELS}/test`, { ...push, ...bad }],
    [`${CHANNELS}/preview`, bad],
  ] as const) {
    expect(await bridge.request('POST', where, body)).toMatchObject({
      status: 400,
      body: {
        errors: [
          {
            pointer: '/bodyTemplate',
            allowed: 'a Liquid template',
            detail: 'Invalid template: line 2, column 1: tag {% if title %} not closed.',
          },
        ],
      },
    });
  }
  const hook = { name: 'hook', type: 'webhook', url: 'http://127.0.0.1:9', titleTemplate: '{{ title }}' };
  expect(await bridge.request('POST', CHANNELS, hook)).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/titleTemplate', allowed: 'absent: messages of type webhook are read by programs' }] },
  });
});

test('a preview shows the newest notification, an example without one, and why a template fails', async () => {
  const bridge = await bridgeWith();
  const preview = (body: object) => bridge.call<TemplatePreview>('POST', `${CHANNELS}/preview`, body);
  const titleTemplate = '{{ priority }} {{ title }} {{ labels.instance }}';
  expect(await preview({ titleTemplate })).toEqual({
    title: 'critical Disk full nas:9100',
    text: '96% of /var is used.\n\nnas · hardware',
    notification: null,
  });
  await send(bridge, 'old');
  const { id } = await bridge.send({ title: 'new', body: 'B', priority: 'high', labels: { instance: 'x' } });
  expect(await preview({ titleTemplate, bodyTemplate: FAILING.replace('labels.n', '1000000000') })).toEqual({
    title: 'high new x',
    text: 'B\n\nunknown · other',
    notification: id,
    warning: 'bodyTemplate failed: line 1, column 1: memory alloc limit exceeded. The standard text is used.',
  });
  expect(await preview({})).toMatchObject({ title: 'Important: new', text: 'B\n\nunknown · other' });
  expect((await bridge.request('POST', `${CHANNELS}/preview`, { title: 'x' })).status).toBe(400);
  expect((await listOf(bridge)).channels).toEqual([]);
});
