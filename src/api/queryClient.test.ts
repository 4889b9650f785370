import { expect, it, vi } from 'vitest';

vi.mock('@grafana/data', () => ({ AppEvents: { alertError: { name: 'alert-error' } } }));
const { publish } = vi.hoisted(() => ({ publish: vi.fn() }));
vi.mock('@grafana/runtime', () => ({
  ...{ config: {}, getBackendSrv: () => ({}), getAppEvents: () => ({ publish }) },
}));

import { toBridgeError } from './errors';
import { createQueryClient, explain, explainChange } from './queryClient';

it('says that a change may not have been saved only if one failed', () => {
  const error = toBridgeError({ status: 502 });
  expect(explain(error)).toBe('The bridge is not responding.');
  expect(explainChange(error)).toBe('The bridge is not responding. The change may not have been saved.');
});

it('titles a failed change by its variables, where one mutation has several titles', async () => {
  const client = createQueryClient();
  const meta = { failure: ({ id }: { id: string }) => `Could not ${id}` };
  const mutationFn = () => Promise.reject(toBridgeError({ status: 502 }));
  await client
    .getMutationCache()
    .build(client, { meta, mutationFn })
    .execute({ id: 'snooze' })
    .catch(() => undefined);
  expect(publish.mock.lastCall).toMatchObject([{ payload: ['Could not snooze', expect.any(String)] }]);
});
