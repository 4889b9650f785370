/** Icons that can be shown: the same rule in the bridge, which fetches them, and in the page, which requests them. */
import { LIMITS } from './limits.ts';
import { content } from './operation.ts';
import { fitsBytes } from './text.ts';

/** The response of operations that serve an icon. */
export const ICON_REPLY = content('A PNG, JPEG, GIF or WebP image.', 'image/*');

/** The icon of a package whose manifest holds the image itself, as `data:image/png;base64,…`; the rest identifies the image. */
export const STORED_ICON = 'avatar:';

/**
 * Whether an icon has an address that the bridge can fetch. A path would be one of Grafana, which acts on some of them
 * (`/logout`): it is never loaded.
 */
export const isIconAddress = (icon: string | null | undefined): icon is string =>
  icon != null && fitsBytes(icon, LIMITS.iconAddressBytes.value) && /^https?:\/\//i.test(icon);
