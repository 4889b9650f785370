import type { ComponentTypeWithExtensionMeta, PluginExtensionLink } from '@grafana/data';
import { setPluginComponentsHook, setPluginLinksHook } from '@grafana/runtime';
import { Menu } from '@grafana/ui';
import type { NotificationDetail } from '@nodebell/contract/notification.ts';
import type { ReactNode } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { fireEvent, render, screen } from '../../component.testing';
import { THREAD_ACTIONS, type ThreadActionProps, type ThreadContext } from '../../extensionApi';
import { aNotification } from '../inbox.testing';
import { ThreadActions } from './ThreadActions';

const links = vi.fn((_: { extensionPointId: string; context?: ThreadContext }): object[] => []);
const components = vi.fn((_: { extensionPointId: string }): object[] => []);
beforeEach(() => {
  links.mockReset().mockReturnValue([]);
  components.mockReset().mockReturnValue([]);
  setPluginLinksHook((options) => ({ isLoading: false, links: links(options as never) as PluginExtensionLink[] }));
  setPluginComponentsHook((options) => ({ isLoading: false, components: components(options) as never[] }));
});

const detail: NotificationDetail = {
  ...aNotification({ id: 1, correlationId: 'c6ea', node: 'attic', source: 'grafana' }),
  members: [],
};
const alert = { labels: { alertname: 'DiskFull' }, ruleUid: 'rule-1' };
const show = (notification = detail) =>
  render(
    <Menu>
      <ThreadActions notification={notification} />
    </Menu>
  );
const added = (id: string, component: (props: ThreadActionProps) => ReactNode) =>
  Object.assign(component, {
    meta: { id, title: `Action ${id}` },
  }) as ComponentTypeWithExtensionMeta<ThreadActionProps>;

it('shows nothing where no app adds anything', () => {
  show();
  expect(screen.getByRole('menu').textContent).toBe('');
  expect(screen.queryByRole('separator')).toBeNull();
  expect(components).toHaveBeenCalledWith(expect.objectContaining({ extensionPointId: THREAD_ACTIONS }));
});

it('passes the thread to links', () => {
  const onClick = vi.fn();
  links.mockReturnValue([
    { id: 'a', title: 'Create an incident', path: '/a/example-app/new?x=1' },
    { id: 'b', title: 'Call', onClick },
    { id: 'c', title: 'Not allowed', path: 'javascript:alert(1)' },
  ]);
  show({ ...detail, alert });
  expect(screen.getByRole('menuitem', { name: 'Create an incident' }).getAttribute('href')).toBe(
    '/a/example-app/new?x=1'
  );
  expect(screen.getByRole('menuitem', { name: 'Not allowed' }).getAttribute('href')).toBeNull();
  fireEvent.click(screen.getByRole('menuitem', { name: 'Call' }));
  expect(onClick).toHaveBeenCalledOnce();
  expect(links.mock.calls[0]![0].context).toEqual({
    threadId: 'c6ea',
    notificationId: 1,
    title: 'Title 1',
    state: 'event',
    priority: 'low',
    source: 'grafana',
    package: 'dms.dnp.dappnode.eth',
    node: 'attic',
    category: 'hardware',
    path: '/a/nodebell-notifications-app/inbox?id=1',
    alert: { ...alert, fingerprint: 'c6ea' },
  });
});

it('does not take the label correlationId for a fingerprint', () => {
  show({ ...detail, alert: { labels: { correlationId: 'c6ea' } } });
  expect(links.mock.calls[0]![0].context?.alert).toEqual({ labels: { correlationId: 'c6ea' } });
});

it('shows an error of another app in its place', () => {
  vi.spyOn(console, 'error').mockReturnValue();
  components.mockReturnValue([
    added('one', () => {
      throw new Error('broken');
    }),
    added('two', ({ context }) => <Menu.Item label={`Call about ${context.title}`} role="menuitem" />),
  ]);
  show();
  expect(screen.getByText('Error in Action one')).toBeDefined();
  expect(screen.getByRole('menuitem', { name: 'Call about Title 1' })).toBeDefined();
});
