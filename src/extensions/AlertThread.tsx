import { LinkButton, Modal, Stack, Text } from '@grafana/ui';
import { t } from '../i18n/t';
import { linkProps } from '../components/links';
import { pathTo } from '../routes';
import { InboxSearch } from './InboxSearch';
import type { AlertContext } from './contexts';
import { useOrigin, type Nothing } from './useOrigin';
import { urlValue } from '@nodebell/contract/url.ts';

interface Props {
  alert: AlertContext;
  onDismiss: (() => void) | undefined;
}

/** Opens the notification of an alert, or reports that there is none. */
export default function AlertThread({ alert, onDismiss }: Props) {
  const { nothing, error } = useOrigin({ label: alert.labels }, onDismiss);
  if (!nothing) {
    return <InboxSearch error={error} />;
  }
  const search = `${pathTo.inbox}?q=${urlValue(alert.name)}`;
  return (
    <Stack direction="column" gap={1}>
      <Text element="p">{sentence(alert, nothing)}</Text>
      <Text element="p" color="secondary">
        {t(
          'extensions.alert.why',
          'An alert appears here when it fires and its rule or a notification policy sends it to the Nodebell contact point. Pending alerts are not sent.'
        )}
      </Text>
      <Modal.ButtonRow>
        <LinkButton variant="secondary" icon="search" {...linkProps(search)}>
          {t('extensions.alert.search', 'Search the inbox by alert name')}
        </LinkButton>
      </Modal.ButtonRow>
    </Stack>
  );
}

/** Whether all notifications since the alert became active were searched. */
function sentence({ name, since }: AlertContext, { complete, since: reach }: Nothing): string {
  const sure = complete || (since !== undefined && reach !== null && Date.parse(reach) <= since);
  return sure
    ? t('extensions.alert.none', 'No notifications for alert {{name}}.', { name })
    : t('extensions.alert.none-recent', 'No notifications for alert {{name}} among the newest 20,000.', {
        name,
      });
}
