import { LinkButton } from '@grafana/ui';
import type { Notification } from '@nodebell/contract/notification.ts';
import { linkProps } from '../components/links';

/** The call to action of a notification. */
export function CallButton({
  title,
  url,
  small = false,
}: NonNullable<Notification['callToAction']> & { small?: boolean }) {
  const props = linkProps(url);
  return props ? (
    <LinkButton
      {...props}
      variant={small ? 'secondary' : 'primary'}
      size={small ? 'sm' : 'md'}
      icon={props.target ? 'external-link-alt' : 'arrow-right'}
    >
      {title}
    </LinkButton>
  ) : null;
}
