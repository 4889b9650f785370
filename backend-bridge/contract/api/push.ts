/** Operations: web push. */
import { channelTestSchema } from '../channel.ts';
import { personHoursSchema } from '../hours.ts';
import { created, del, get, idParam, json, noContent, ok, operations, post, put } from '../operation.ts';
import { deviceBodySchema, deviceListSchema, deviceNameBodySchema, deviceSchema, pushKeySchema } from '../push.ts';

const ID = { id: idParam('The id of a device.') };

export const PUSH = operations('Channels', {
  getPushKey: get('/push/key', 'inbox:read', {
    summary: 'The public key with which browsers subscribe to web push',
    reply: ok('The public key.', () => pushKeySchema),
    problems: [503],
  }),
  replacePushKey: post('/push/key', 'bridge:admin', {
    summary: 'Replace the keys of web push; removes all devices, which must subscribe again',
    reply: ok('The new public key.', () => pushKeySchema),
  }),
  getQuietHours: get('/push/quiet-hours', 'inbox:read', {
    summary: "Quiet hours of the user's own devices; only through Grafana",
    reply: ok('The quiet hours.', () => personHoursSchema),
    problems: [409],
  }),
  setQuietHours: put('/push/quiet-hours', 'push:own', {
    summary: "Set quiet hours of the user's own devices",
    body: json(() => personHoursSchema),
    reply: noContent('The quiet hours apply.'),
    problems: [409],
  }),
  listDevices: get('/push/devices', 'inbox:read', {
    summary: "The user's own devices; only through Grafana",
    reply: ok('The devices.', () => deviceListSchema),
    problems: [409],
  }),
  addDevice: post('/push/devices', 'push:own', {
    summary: 'Subscribe a browser; an existing subscription is updated',
    body: json(() => deviceBodySchema),
    reply: created('The device.', () => deviceSchema),
    problems: [409],
  }),
  renameDevice: put('/push/devices/{id}', 'push:own', {
    summary: "Rename one of the user's devices",
    params: ID,
    body: json(() => deviceNameBodySchema),
    reply: noContent('Renamed.'),
    problems: [404, 409],
  }),
  removeDevice: del('/push/devices/{id}', 'push:own', {
    summary: "Remove one of the user's devices",
    params: ID,
    reply: noContent('Removed, or not there.'),
    problems: [409],
  }),
  testDevice: post('/push/devices/{id}/test', 'push:own', {
    summary: "Send a test to one of the user's devices",
    params: ID,
    reply: ok('Whether the push service accepted it.', () => channelTestSchema),
    problems: [404, 409],
  }),
});
