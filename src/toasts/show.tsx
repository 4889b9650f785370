import { AppEvents } from '@grafana/data';
import { getAppEvents } from '@grafana/runtime';
import type { ReactElement } from 'react';
import type { Notification } from '@nodebell/contract/notification.ts';
import { t } from '../i18n/t';
import { linkProps } from '../components/links';
import { plainText } from '../components/bodyText';
import { cut } from '../components/cut';
import { shortName } from '../components/messages';
import { pathTo } from '../routes';

/** More than this are summarised in one toast. */
const MOST = 3;
const TITLE_LETTERS = 100;
const TEXT_LETTERS = 200;

/**
 * Grafana's own messages, at the corner of every page. As a warning: errors are hidden in kiosk mode, and mean that Grafana has
 * failed. Its message takes a fourth value, an element in place of the text; where it does not, the text is shown.
 */
function publish(title: string, text: string, path: string, link: string) {
  const element: ReactElement = (
    <>
      {text}{' '}
      <a {...linkProps(path)} style={{ textDecoration: 'underline' }}>
        {link}
      </a>
    </>
  );
  getAppEvents().publish({ type: AppEvents.alertWarning.name, payload: [title, text, undefined, element] });
}

/** Shows toasts for new notifications. */
export function show(notifications: readonly Notification[]): void {
  if (notifications.length > MOST) {
    publish(
      t('extensions.toasts.many', '{{number, number}} new critical notifications', { number: notifications.length }),
      cut(notifications.map(({ title }) => title).join(', '), TEXT_LETTERS),
      `${pathTo.inbox}?priority=critical`,
      t('extensions.toasts.open-many', 'Open the inbox')
    );
    return;
  }
  for (const { id, title, body, dnpName } of notifications) {
    publish(
      t('extensions.toasts.critical', 'Critical: {{title}}', { title: cut(title, TITLE_LETTERS) }),
      cut(`${shortName(dnpName)}: ${plainText(body)}`, TEXT_LETTERS),
      pathTo.notification(id),
      t('extensions.toasts.open', 'Open in the inbox')
    );
  }
}
