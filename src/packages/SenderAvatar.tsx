import { useQuery } from '@tanstack/react-query';
import type { Notification } from '@nodebell/contract/notification.ts';
import type { PackageSummary } from '@nodebell/contract/package.ts';
import { Avatar } from '../components/Avatar';
import { notificationIcon, packageIcon } from '../components/icons';
import { linkProps } from '../components/links';
import { pathTo } from '../routes';
import { packagesQuery } from './queries';

interface Props {
  notification: Pick<Notification, 'id' | 'icon' | 'dnpName'>;
  size: 24 | 28 | 32 | 40 | 56;
}

const byName = (packages: PackageSummary[]): Map<string, PackageSummary> =>
  new Map(packages.map((one) => [one.dnpName, one]));

/** The registered package of this name; undefined when there is none, and while nobody knows. */
const usePackage = (dnpName: string): PackageSummary | undefined =>
  useQuery({ ...packagesQuery(), select: byName }).data?.get(dnpName);

/** Who sent it: the icon that came with it, else that of its package, else a letter. */
export function SenderAvatar({ notification, size }: Props) {
  const { dnpName } = notification;
  const found = usePackage(dnpName);
  const icon = notificationIcon(notification) ?? (found && packageIcon(found));
  return <Avatar icon={icon} dnpName={dnpName} size={size} />;
}

/** The icon of the registered package of this name, or a letter. */
export function PackageAvatar({ dnpName, size }: { dnpName: string; size: Props['size'] }) {
  const found = usePackage(dnpName);
  return <Avatar icon={found && packageIcon(found)} dnpName={dnpName} size={size} />;
}

/** The name of a sender; that of a registered package leads to its page. */
export function SenderName({ dnpName }: { dnpName: string }) {
  const found = usePackage(dnpName);
  return found ? <a {...linkProps(pathTo.package(dnpName))}>{dnpName}</a> : <>{dnpName}</>;
}
