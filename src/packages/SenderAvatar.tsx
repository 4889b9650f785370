import { useQuery } from '@tanstack/react-query';
import type { PackageSummary } from '@nodebell/contract/package.ts';
import { Avatar } from '../parts/Avatar';
import { linkProps } from '../parts/links';
import { pathTo } from '../routes';
import { packagesQuery } from './queries';

interface Props {
  /** The notification's own. */
  icon: string | undefined;
  dnpName: string;
  size: 24 | 28 | 32 | 40 | 56;
}

const byName = (packages: PackageSummary[]): Map<string, PackageSummary> =>
  new Map(packages.map((one) => [one.dnpName, one]));

/** The registered package of this name; undefined when there is none, and while nobody knows. */
const usePackage = (dnpName: string): PackageSummary | undefined =>
  useQuery({ ...packagesQuery(), select: byName }).data?.get(dnpName);

/** Who sent it: the icon that came with it, else that of its package, else a letter. */
export function SenderAvatar({ icon, dnpName, size }: Props) {
  const found = usePackage(dnpName);
  return <Avatar icon={icon ?? found?.icon} dnpName={dnpName} size={size} />;
}

/** The name of a sender; that of a registered package leads to its page. */
export function SenderName({ dnpName }: { dnpName: string }) {
  const found = usePackage(dnpName);
  return found ? <a {...linkProps(pathTo.package(dnpName))}>{dnpName}</a> : <>{dnpName}</>;
}
