import { useQuery } from '@tanstack/react-query';
import type { Notification } from '@nodebell/contract/notification.ts';
import type { PackageSummary } from '@nodebell/contract/package.ts';
import { Avatar } from './Avatar';
import { notificationIcon, packageIcon } from './icons';
import { linkProps } from './links';
import { pathTo } from '../routes';
import { packagesQuery } from '../api/packages';

interface Props {
  notification: Pick<Notification, 'id' | 'icon' | 'dnpName'>;
  size: 24 | 28 | 32 | 40 | 56;
}

const byName = (packages: PackageSummary[]): Map<string, PackageSummary> =>
  new Map(packages.map((one) => [one.dnpName, one]));

/** The registered package with this name; undefined while loading and if there is none. */
const usePackage = (dnpName: string): PackageSummary | undefined =>
  useQuery({ ...packagesQuery(), select: byName }).data?.get(dnpName);

/** Sender avatar: the notification's icon, else the package's icon, else a letter. */
export function SenderAvatar({ notification, size }: Props) {
  const { dnpName } = notification;
  const found = usePackage(dnpName);
  const icon = notificationIcon(notification) ?? (found && packageIcon(found));
  return <Avatar icon={icon} dnpName={dnpName} size={size} />;
}

/** Icon of the registered package with this name, or a letter. */
export function PackageAvatar({ dnpName, size }: { dnpName: string; size: Props['size'] }) {
  const found = usePackage(dnpName);
  return <Avatar icon={found && packageIcon(found)} dnpName={dnpName} size={size} />;
}

/** Sender name, linked to the package page if the package is registered. */
export function SenderName({ dnpName }: { dnpName: string }) {
  const found = usePackage(dnpName);
  return found ? <a {...linkProps(pathTo.package(dnpName))}>{dnpName}</a> : <>{dnpName}</>;
}
