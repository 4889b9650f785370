/** Translated messages for the cause codes of node states; the bridge's own messages are English only. */
import type { ChainCause, ChainState } from '@nodebell/contract/chain.ts';
import { t } from '../i18n/t';

/** @returns undefined if neither cause nor state has a message */
export const toCauseMessage = (state: ChainState, cause: ChainCause | undefined): string | undefined =>
  cause === undefined ? STATE_MESSAGES[state]?.() : CAUSE_MESSAGES[cause]();

const STATE_MESSAGES: Partial<Record<ChainState, () => string>> = {
  waiting: () => t('chains.cause.waiting', 'Not polled yet.'),
  stalled: () => t('chains.cause.stalled', 'No sync progress.'),
  unsupported: () => t('chains.cause.unsupported', 'This chain type is not supported.'),
  unconfigured: () => t('chains.cause.unconfigured', 'No address is configured.'),
};

const CAUSE_MESSAGES: Record<ChainCause, () => string> = {
  refused: () => t('chains.cause.refused', 'Connection refused. Is the package running?'),
  timeout: () => t('chains.cause.timeout', 'The request timed out.'),
  reset: () => t('chains.cause.reset', 'Connection reset.'),
  network: () => t('chains.cause.network', 'No network route.'),
  'not-allowed': () => t('chains.cause.not-allowed', 'The bridge is not allowed to connect to this address.'),
  name: () => t('chains.cause.name', 'Host not found: the container is not running.'),
  unauthorised: () => t('chains.cause.unauthorised', 'Authentication failed.'),
  'http-status': () => t('chains.cause.http-status', 'The node returned an HTTP error.'),
  redirect: () => t('chains.cause.redirect', 'The node redirects to another address.'),
  'too-large': () => t('chains.cause.too-large', 'The response is too large.'),
  'not-json': () => t('chains.cause.not-json', 'The response is not JSON.'),
  'not-understood': () => t('chains.cause.not-understood', 'Incomplete response.'),
  number: () => t('chains.cause.number', 'The response contains an invalid number.'),
  'rpc-error': () => t('chains.cause.rpc-error', 'The node returned an error.'),
  'warming-up': () => t('chains.cause.warming-up', 'Starting: loading the block index.'),
  'no-target': () => t('chains.cause.no-target', 'The chain height is not known yet.'),
  'no-peers': () => t('chains.cause.no-peers', 'Looking for peers.'),
  'state-download': () =>
    t('chains.cause.state-download', 'The blocks are complete, their state is still downloading.'),
  unverified: () => t('chains.cause.unverified', 'The execution client has not verified the latest blocks yet.'),
  'no-new-blocks': () =>
    t('chains.cause.no-new-blocks', 'The node reports that it is synced, but receives no new blocks.'),
  'execution-offline': () => t('chains.cause.execution-offline', 'The execution client is not responding.'),
};
