import type { EndpointPackage } from '@nodebell/contract/endpoint.ts';
import { beforeEach, expect, it, vi } from 'vitest';
import { fireEvent, render, screen, signIn } from '../../component.testing';
import { aPackage, anEndpoint, aSwitch, aThreshold } from '../thresholds.testing';
import { CardHead } from './CardHead';

const WRITE = 'nodebell-notifications-app.thresholds:write';

beforeEach(() => signIn([WRITE]));

function renderHead(change: Partial<EndpointPackage> = {}) {
  const onOpen = vi.fn();
  const { container } = render(<CardHead one={aPackage(change)} open={false} bodyId="body" onOpen={onOpen} />);
  return { onOpen, text: () => container.textContent };
}

const toggle = () => screen.getByRole<HTMLInputElement>('switch', { name: 'Notifications from dms.dnp.dappnode.eth' });

it.each<[string, Partial<EndpointPackage>]>([
  ['2 endpoints, all on', {}],
  [
    '2 endpoints, 1 on',
    { endpoints: [anEndpoint(), anEndpoint({ enabled: aSwitch({ value: false }), mutedBy: ['endpoint'] })] },
  ],
  ['2 endpoints, muted by the package switch', { enabled: aSwitch({ value: false, origin: 'user' }) }],
  ['No endpoints, muted by the package switch', { enabled: aSwitch({ value: false, origin: 'user' }), endpoints: [] }],
])('summarises: %s', (summary, change) => expect(renderHead(change).text()).toContain(summary));

it('counts pending settings and new recommendations, even if collapsed', () => {
  const { text } = renderHead({
    endpoints: [
      anEndpoint({ effects: [{ monitor: 'gatus', state: 'pending' }] }),
      anEndpoint({ threshold: aThreshold({ recommends: { from: 80, to: 85, detail: '' } }) }),
    ],
  });
  expect(text()).toContain('1 pending');
  expect(text()).toContain('1 new recommendation');
});

it('opens and closes', () => {
  const { onOpen } = renderHead();
  fireEvent.click(screen.getByRole('button', { name: 'dms.dnp.dappnode.eth' }));
  expect(onOpen).toHaveBeenCalledTimes(1);
});

it('the switch is on while notifications are, also without endpoints', () => {
  renderHead({ enabled: aSwitch({ value: false, origin: 'user' }), endpoints: [] });
  expect([toggle().checked, toggle().disabled]).toEqual([false, false]);
});

it('a provisioned switch is disabled and names its file', () => {
  const { text } = renderHead({ enabled: aSwitch({ origin: 'provisioned', file: 'settings.yaml' }) });
  expect(toggle().disabled).toBe(true);
  expect(text()).toContain('settings.yaml');
});

it.each([
  ['a Viewer', [], {}],
  ['an anonymous user', [WRITE], { signedIn: false }],
])('%s sees the state as text', (_, permissions, options) => {
  signIn(permissions, options);
  const { text } = renderHead();
  expect(screen.queryByRole('switch')).toBeNull();
  expect(text()).toContain('On');
});
