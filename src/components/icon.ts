/** Icons that senders and packages name. The browser loads none of them: the bridge does, and the page asks the bridge. */
import { isIconAddress } from '@nodebell/contract/icon.ts';

/** An icon that the bridge can serve; made by the functions below alone. */
export interface BridgeIcon {
  /** As it was named: what has the same address has the same image. Never loaded. */
  address: string;
  /** Where the bridge serves it, below `/api/v1`. */
  path: string;
}

const iconAt = (address: string | undefined, path: string): BridgeIcon | undefined =>
  isIconAddress(address) ? { address, path } : undefined;

/** The icon that came with a notification; undefined when it has none, or one that is not shown, such as a path. */
export const notificationIcon = ({ id, icon }: { id: number; icon?: string | undefined }): BridgeIcon | undefined =>
  iconAt(icon, `/notifications/${id}/icon`);

/** The icon of a registered package. */
export const packageIcon = ({
  dnpName,
  icon,
}: {
  dnpName: string;
  icon?: string | undefined;
}): BridgeIcon | undefined => iconAt(icon, `/packages/${encodeURIComponent(dnpName)}/icon`);
