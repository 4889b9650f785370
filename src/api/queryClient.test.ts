import { expect, it, vi } from 'vitest';

vi.mock('@grafana/data', () => ({ AppEvents: {} }));
vi.mock('@grafana/runtime', () => ({ config: {}, getBackendSrv: () => ({}), getAppEvents: () => ({}) }));

import { toBridgeError } from './errors';
import { explain, explainChange } from './queryClient';

it('says that a change may not have been saved only if one failed', () => {
  const error = toBridgeError({ status: 502 });
  expect(explain(error)).toBe('The bridge is not responding.');
  expect(explainChange(error)).toBe('The bridge is not responding. The change may not have been saved.');
});
