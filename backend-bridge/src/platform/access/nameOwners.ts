/** Names that belong to tokens, and that of the bridge: what others send under them is stored under none (inbox/notifications/names.ts). */
import { DEFAULTS, OWN_PACKAGE } from '../../../contract/notification.ts';
import { ADMIN } from './auth.ts';
import type { Sender } from '../http/guard.ts';
import { senderKey } from '../http/senderKey.ts';

/** `own`: it exists without having been used. `foreign`: another has it. `free`: anybody may use it. */
export type Claim = 'own' | 'foreign' | 'free';

/** Sender of a request. */
export interface Claimant {
  /** The {@link senderKey}. */
  sender: string;
  /** Grafana, by its signature: like a token without packages, it sends for any. */
  signed?: boolean | undefined;
}

const ADMIN_KEY = senderKey(ADMIN.id, undefined);

export type NameOwners = ReturnType<typeof createNameOwners>;

/** @param tokens those that are valid */
export function createNameOwners(tokens: Iterable<Sender>) {
  const nodes = new Map<string, Set<string>>();
  const packages = new Map<string, Set<string>>();
  const unlimited = new Set<string>();
  const add = (owners: Map<string, Set<string>>, name: string, key: string): void => {
    owners.set(name, (owners.get(name) ?? new Set()).add(key));
  };
  for (const token of tokens) {
    const key = senderKey(token.id, undefined);
    token.packages.forEach((name) => add(packages, name, key));
    if (token.packages.length === 0) {
      unlimited.add(key);
    }
    if (token.node !== undefined) {
      add(nodes, token.node, key);
    }
  }
  return {
    /** A token has its node, and all that are behind it; a token without a node has none. */
    ofNode(node: string, { sender }: Claimant): Claim {
      const end = node.indexOf('/');
      const owners = nodes.get(end < 0 ? node : node.slice(0, end));
      if (owners === undefined) {
        return 'free';
      }
      const may = sender === ADMIN_KEY || owners.has(sender);
      // Names behind it are those of other bridges: they are new ones like any.
      return may ? (end < 0 ? 'own' : 'free') : 'foreign';
    },
    /** Tokens have their packages; one without packages may send for any. @param node undefined: this host */
    ofPackage(dnpName: string, node: string | undefined, { sender, signed = false }: Claimant): Claim {
      if (dnpName === DEFAULTS.dnpName) {
        return 'own';
      }
      const isAdmin = sender === ADMIN_KEY;
      if (dnpName === OWN_PACKAGE && node === undefined) {
        return isAdmin ? 'own' : 'foreign';
      }
      const owners = packages.get(dnpName);
      if (owners === undefined) {
        return 'free';
      }
      return isAdmin || signed || owners.has(sender) || unlimited.has(sender) ? 'own' : 'foreign';
    },
  };
}
