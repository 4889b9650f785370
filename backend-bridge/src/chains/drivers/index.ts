/** Every kind of chain that the bridge can ask, by its name in the contract. */
import type { ChainDriver } from '../../../contract/chain.ts';
import { beacon } from './beacon.ts';
import { bitcoin } from './bitcoin.ts';
import type { Driver } from './driver.ts';
import { ethereum } from './ethereum.ts';
import { monero } from './monero.ts';

export const DRIVERS: Record<ChainDriver, Driver> = { ethereum, bitcoin, monero, 'ethereum-beacon-chain': beacon };
