import { usePluginComponents, usePluginLinks } from '@grafana/runtime';
import { ErrorBoundary, Menu } from '@grafana/ui';
import { type ComponentType, Suspense, useMemo } from 'react';
import type { NotificationDetail } from '@nodebell/contract/notification.ts';
import { linkProps } from '../../components/links';
import { THREAD_ACTIONS, type ThreadActionProps, type ThreadContext } from '../../extensionApi';
import { t } from '../../i18n/t';
import { pathTo } from '../../routes';

const POINT = { extensionPointId: THREAD_ACTIONS, limitPerPlugin: 5 };

/** Items that other apps add to the menu of a thread. */
export function ThreadActions({ notification }: { notification: NotificationDetail }) {
  const context = useMemo(() => contextOf(notification), [notification]);
  const { links } = usePluginLinks({ ...POINT, context });
  const { components } = usePluginComponents<ThreadActionProps>(POINT);
  if (links.length + components.length === 0) {
    return null;
  }
  return (
    <>
      <Menu.Divider />
      {links.map((link) => {
        const { href, target } = (link.path && linkProps(link.path)) || {};
        return (
          <Menu.Item
            key={link.id}
            label={link.title}
            description={link.description}
            icon={link.icon ?? 'plug'}
            role="menuitem"
            {...(href && { url: href })}
            {...(target && { target })}
            {...(link.onClick && { onClick: link.onClick })}
          />
        );
      })}
      {components.map((Component) => (
        <Guarded key={Component.meta.id} title={Component.meta.title} component={Component} context={context} />
      ))}
    </>
  );
}

interface GuardedProps extends ThreadActionProps {
  title: string;
  component: ComponentType<ThreadActionProps>;
}

/** An error or delay of another app affects its own item only. */
const Guarded = ({ title, component: Component, context }: GuardedProps) => (
  <ErrorBoundary>
    {({ error }) =>
      error ? (
        <Menu.Item
          label={t('inbox.action.failed', 'Error in {{title}}', { title })}
          icon="exclamation-triangle"
          disabled
        />
      ) : (
        <Suspense fallback={null}>
          <Component context={context} />
        </Suspense>
      )
    }
  </ErrorBoundary>
);

function contextOf({ id, correlationId, dnpName, node, thread, alert, ...rest }: NotificationDetail): ThreadContext {
  const { title, priority, source, category } = rest;
  return {
    ...{ threadId: correlationId, notificationId: id, title, state: thread.state, priority, source },
    ...{ package: dnpName, ...(node !== undefined && { node }), category, path: pathTo.notification(id) },
    ...(alert && {
      alert: {
        labels: alert.labels,
        // The bridge takes this label for the id of the thread, otherwise the fingerprint.
        ...(alert.labels['correlationId'] === undefined && { fingerprint: correlationId }),
        ...(alert.ruleUid !== undefined && { ruleUid: alert.ruleUid }),
      },
    }),
  };
}
