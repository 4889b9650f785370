/**
 * Owners of members. A header of ustar holds six octal digits; larger ids, as of containers with user namespaces, are in a PAX header
 * (POSIX, pax, "uid" and "gid"), which tar-stream writes and reads, but does not apply.
 */
import type { Header } from 'tar-stream';

type Owner = Pick<Header, 'uid' | 'gid'>;
type Written = Partial<Header> & Owner & { name: string };

const MOST = 0o777777;

export const withOwner = (header: Written): Written =>
  Math.max(header.uid, header.gid) > MOST ? { ...header, pax: { uid: header.uid, gid: header.gid } } : header;

export function ownerOf(header: Header): Owner {
  const pax = (header as { pax?: Record<string, string> | null }).pax ?? {};
  return { uid: Number(pax.uid ?? header.uid), gid: Number(pax.gid ?? header.gid) };
}
