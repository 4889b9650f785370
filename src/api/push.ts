/** Requests for the user's own devices. */
import { PUSH } from '@nodebell/contract/api/push.ts';
import type { PersonHours } from '@nodebell/contract/hours.ts';
import type { NewDevice } from '@nodebell/contract/push.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client';

export const devicesKey = ['push-devices'];

/** The key of the bridge, and the devices. */
export const devicesQuery = () =>
  queryOptions({
    queryKey: devicesKey,
    queryFn: async ({ signal }) => {
      const [{ publicKey }, { devices }] = await Promise.all([
        call(PUSH.getPushKey, { signal }),
        call(PUSH.listDevices, { signal }),
      ]);
      return { publicKey, devices };
    },
  });

export const quietHoursQuery = () =>
  queryOptions({
    queryKey: ['push-quiet-hours'],
    queryFn: ({ signal }) => call(PUSH.getQuietHours, { signal }),
  });

export const setQuietHours = (body: PersonHours) => call(PUSH.setQuietHours, { body });
export const addDevice = (body: NewDevice) => call(PUSH.addDevice, { body });
export const renameDevice = (id: number, name: string) => call(PUSH.renameDevice, { params: { id }, body: { name } });
export const removeDevice = (id: number) => call(PUSH.removeDevice, { params: { id } });
export const testDevice = (id: number) => call(PUSH.testDevice, { params: { id } });
