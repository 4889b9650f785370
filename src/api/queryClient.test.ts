import { expect, it, vi } from 'vitest';

vi.mock('@grafana/data', () => ({ AppEvents: {} }));
vi.mock('@grafana/runtime', () => ({ config: {}, getBackendSrv: () => ({}), getAppEvents: () => ({}) }));

import { toBridgeError } from './errors';
import { explain, explainChange } from './queryClient';

it('says that nothing was changed only if a change failed', () => {
  const error = toBridgeError({ status: 502 });
  expect(explain(error)).toBe('The bridge is not responding.');
  expect(explainChange(error)).toBe('The bridge is not responding. Nothing was changed.');
});
