/** Requests for the user's own devices. */
import { channelTestSchema } from '@nodebell/contract/channel.ts';
import { type PersonHours, personHoursSchema } from '@nodebell/contract/hours.ts';
import { deviceListSchema, deviceSchema, type NewDevice, pushKeySchema } from '@nodebell/contract/push.ts';
import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { request } from './client';

export const devicesKey = ['push-devices'];

/** The key of the bridge, and the devices. */
export const devicesQuery = () =>
  queryOptions({
    queryKey: devicesKey,
    queryFn: async ({ signal }) => {
      const [{ publicKey }, { devices }] = await Promise.all([
        request('/push/key', pushKeySchema, { signal }),
        request('/push/devices', deviceListSchema, { signal }),
      ]);
      return { publicKey, devices };
    },
  });

export const quietHoursQuery = () =>
  queryOptions({
    queryKey: ['push-quiet-hours'],
    queryFn: ({ signal }) => request('/push/quiet-hours', personHoursSchema, { signal }),
  });

const nothing = z.unknown();

export const setQuietHours = (body: PersonHours) => request('/push/quiet-hours', nothing, { method: 'PUT', body });
export const addDevice = (device: NewDevice) =>
  request('/push/devices', deviceSchema, { method: 'POST', body: device });
export const renameDevice = (id: number, name: string) =>
  request(`/push/devices/${id}`, nothing, { method: 'PUT', body: { name } });
export const removeDevice = (id: number) => request(`/push/devices/${id}`, nothing, { method: 'DELETE' });
export const testDevice = (id: number) => request(`/push/devices/${id}/test`, channelTestSchema, { method: 'POST' });
