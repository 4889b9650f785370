import { Menu } from '@grafana/ui';
import type { PackageLink } from '@nodebell/contract/package.ts';
import { linkProps } from './links';
import { linkLabel } from './packageLinks';

/** Links of a package in a menu. The role is explicit because Grafana 12.4 sets it on buttons only. */
export const LinkItems = ({ links }: { links: readonly PackageLink[] }) =>
  links.map((link) => {
    const { icon, short } = linkLabel(link);
    const props = linkProps(link.url);
    return (
      props && (
        <Menu.Item
          key={`${link.kind} ${link.key}`}
          label={short}
          icon={icon ?? 'link'}
          role="menuitem"
          url={props.href}
          {...(props.target && { target: props.target })}
        />
      )
    );
  });
