/** A person whose changes are recorded. */
import { fromGrafana } from './grafanaPerson.testing.ts';

export const AUDIT = '/api/v1/audit';
/** An administrator behind two proxies. */
export const ADA = {
  ...fromGrafana('ada', { OrgRole: 'Admin' }),
  'X-Forwarded-For': '203.0.113.9, ::ffff:10.0.0.2, 10.0.0.2, not an address',
};
/** The actor of what she does. */
export const BY_ADA = {
  kind: 'user',
  name: 'ada',
  key: 'org:1/user:uid-of-ada',
  address: '203.0.113.9, 10.0.0.2',
};
