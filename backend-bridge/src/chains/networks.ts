/** Networks that are known by what a node says of itself. Blocks that come by the clock are what stalling is told by. Pure. */
import type { Identity } from './reading.ts';

/**
 * Ethereum chain ids (EIP-155; names of chainid.network) with the seconds between blocks. Chains whose blocks come when there is
 * something to put in them have none.
 */
const BY_CHAIN_ID: Record<number, [title: string, blockSeconds?: number]> = {
  1: ['Ethereum', 12],
  10: ['Optimism', 2],
  42: ['LUKSO', 12],
  61: ['Ethereum Classic', 13],
  100: ['Gnosis', 5],
  137: ['Polygon', 2],
  8453: ['Base', 2],
  10200: ['Gnosis Chiado', 5],
  17000: ['Ethereum Holesky', 12],
  42161: ['Arbitrum One'],
  560048: ['Ethereum Hoodi', 12],
  11155111: ['Ethereum Sepolia', 12],
};
/** What development nodes (anvil, hardhat; ganache, geth --dev) say: they make a block when they are asked to. */
const DEVELOPMENT = new Set([31337, 1337]);

export function isDevelopment(chainId: number | undefined): boolean {
  return chainId !== undefined && DEVELOPMENT.has(chainId);
}

/** @param beacon a node of the beacon chain of this network */
export function ethereumNetwork(chainId: number, beacon = false): Identity {
  const [title, blockSeconds] = BY_CHAIN_ID[chainId] ?? [
    isDevelopment(chainId) ? 'Ethereum development' : `Ethereum chain ${chainId}`,
  ];
  return {
    network: String(chainId),
    title: beacon ? `${title} beacon chain` : title,
    ...(blockSeconds !== undefined && { blockSeconds }),
  };
}

/** How Bitcoin's relatives name themselves in `subversion`, with the seconds between their blocks. */
const BITCOIN_KIN: readonly [pattern: RegExp, title: string, blockSeconds: number][] = [
  [/^\/Satoshi:/, 'Bitcoin', 600],
  [/^\/LitecoinCore:/, 'Litecoin', 150],
  [/^\/(MagicBean|Zebra):/, 'Zcash', 75],
  [/^\/Bitcoin Cash Node:/, 'Bitcoin Cash', 600],
  [/^\/Shibetoshi:/, 'Dogecoin', 60],
  [/^\/Dash Core:/, 'Dash', 150],
];

/**
 * @param chain `main`, `test`, `testnet4`, `signet` or `regtest`
 * @param subversion undefined: not asked, or not told
 */
export function bitcoinNetwork(chain: string | undefined, subversion: string | undefined): Identity {
  const [, coin, blockSeconds] =
    BITCOIN_KIN.find(([pattern]) => subversion !== undefined && pattern.test(subversion)) ?? [];
  const title = coin && (chain === undefined || chain === 'main' ? coin : `${coin} ${chain}`);
  return {
    ...(chain !== undefined && { network: chain }),
    ...(title !== undefined && { title }),
    // Of an unknown relative the slowest is assumed. Test networks have long gaps, and regtest makes blocks when asked to.
    ...(chain === 'main' && { blockSeconds: blockSeconds ?? 600 }),
  };
}

/** @param nettype `mainnet`, `stagenet`, `testnet` or `fakechain` */
export function moneroNetwork(nettype: string | undefined): Identity {
  const title = nettype === undefined || nettype === 'mainnet' ? 'Monero' : `Monero ${nettype}`;
  return {
    ...(nettype !== undefined && { network: nettype }),
    title,
    ...(nettype === 'mainnet' && { blockSeconds: 120 }),
  };
}
