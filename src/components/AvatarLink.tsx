import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { Avatar } from './Avatar';
import { type BridgeIcon } from './icons';
import { linkProps } from './links';

interface Props {
  icon: BridgeIcon | undefined;
  dnpName: string;
  href: string;
  /** Shown on hover. */
  title: string;
  /** One line; cut if it is too long. */
  children: string;
}

/** A link with the icon of a package. */
export const AvatarLink = ({ icon, dnpName, href, title, children }: Props) => (
  <a className={useStyles2(getStyle)} title={title} {...linkProps(href)}>
    <Avatar icon={icon} dnpName={dnpName} size={24} />
    <span dir="auto">{children}</span>
  </a>
);

const getStyle = (theme: GrafanaTheme2) =>
  css({
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    minWidth: 0,
    color: theme.colors.text.primary,
    '&:hover': { textDecoration: 'underline' },
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}`, outlineOffset: -2 },
    '& > span:last-child': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  });
