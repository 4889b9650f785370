/** Translated messages for the cause codes of node states; the bridge's own messages are English only. */
import type { ChainCause, ChainState } from '@nodebell/contract/chain.ts';
import { t } from '../i18n/t';

/** @returns undefined if neither cause nor state has a message */
export const toCauseMessage = (state: ChainState, cause: ChainCause | undefined): string | undefined =>
  cause === undefined ? stateMessage(state) : causeMessage(cause);

function stateMessage(state: ChainState): string | undefined {
  switch (state) {
    case 'waiting':
      return t('chains.cause.waiting', 'Not polled yet.');
    case 'stalled':
      return t('chains.cause.stalled', 'No sync progress.');
    case 'unsupported':
      return t('chains.cause.unsupported', 'This chain type is not supported.');
    case 'unconfigured':
      return t('chains.cause.unconfigured', 'No address is configured.');
    default:
      return undefined;
  }
}

// One case per cause code.
// eslint-disable-next-line complexity
function causeMessage(cause: ChainCause): string {
  switch (cause) {
    case 'refused':
      return t('chains.cause.refused', 'Connection refused. Is the package running?');
    case 'timeout':
      return t('chains.cause.timeout', 'The request timed out.');
    case 'reset':
      return t('chains.cause.reset', 'Connection reset.');
    case 'network':
      return t('chains.cause.network', 'No network route.');
    case 'not-allowed':
      return t('chains.cause.not-allowed', 'The bridge is not allowed to connect to this address.');
    case 'name':
      return t('chains.cause.name', 'Host not found: the container is not running.');
    case 'unauthorised':
      return t('chains.cause.unauthorised', 'Authentication failed.');
    case 'http-status':
      return t('chains.cause.http-status', 'The node returned an HTTP error.');
    case 'redirect':
      return t('chains.cause.redirect', 'The node redirects to another address.');
    case 'too-large':
      return t('chains.cause.too-large', 'The response is too large.');
    case 'not-json':
      return t('chains.cause.not-json', 'The response is not JSON.');
    case 'not-understood':
      return t('chains.cause.not-understood', 'Incomplete response.');
    case 'number':
      return t('chains.cause.number', 'The response contains an invalid number.');
    case 'rpc-error':
      return t('chains.cause.rpc-error', 'The node returned an error.');
    case 'warming-up':
      return t('chains.cause.warming-up', 'Starting: loading the block index.');
    case 'no-target':
      return t('chains.cause.no-target', 'The chain height is not known yet.');
    case 'no-peers':
      return t('chains.cause.no-peers', 'Looking for peers.');
    case 'state-download':
      return t('chains.cause.state-download', 'The blocks are complete, their state is still downloading.');
    case 'unverified':
      return t('chains.cause.unverified', 'The execution client has not verified the latest blocks yet.');
    case 'no-new-blocks':
      return t('chains.cause.no-new-blocks', 'The node reports that it is synced, but receives no new blocks.');
    case 'execution-offline':
      return t('chains.cause.execution-offline', 'The execution client is not responding.');
  }
}
