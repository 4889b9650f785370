/** Why a node stands as it does, for those who do not read English: the bridge's own sentence is English, its code is not. Pure. */
import type { ChainCause, ChainState } from '@nodebell/contract/chain.ts';
import { t } from '../i18n/t';

/** @returns undefined where neither cause nor state has words here */
export const causeInWords = (state: ChainState, cause: ChainCause | undefined): string | undefined =>
  cause === undefined ? ofState(state) : ofCause(cause);

function ofState(state: ChainState): string | undefined {
  switch (state) {
    case 'waiting':
      return t('chains.cause.waiting', 'The bridge has not asked it yet.');
    case 'stalled':
      return t('chains.cause.stalled', 'It gets no closer.');
    case 'unsupported':
      return t('chains.cause.unsupported', 'The bridge does not know this kind of chain.');
    case 'unconfigured':
      return t('chains.cause.unconfigured', 'The bridge has no address to ask at.');
    default:
      return undefined;
  }
}

// One line for each cause: longer than others, and no more complicated.
// eslint-disable-next-line complexity
function ofCause(cause: ChainCause): string {
  switch (cause) {
    case 'refused':
      return t('chains.cause.refused', 'It refuses the connection. Is the package running?');
    case 'timeout':
      return t('chains.cause.timeout', 'It does not answer in time.');
    case 'reset':
      return t('chains.cause.reset', 'It cuts off the connection.');
    case 'network':
      return t('chains.cause.network', 'There is no way to it in the network.');
    case 'not-allowed':
      return t('chains.cause.not-allowed', 'The bridge must not connect to its address.');
    case 'name':
      return t('chains.cause.name', 'Its name is not in the network: its container does not run.');
    case 'unauthorised':
      return t('chains.cause.unauthorised', 'It asks for another password.');
    case 'http-status':
      return t('chains.cause.http-status', 'It answers with an error of HTTP.');
    case 'redirect':
      return t('chains.cause.redirect', 'It sends the bridge to another address.');
    case 'too-large':
      return t('chains.cause.too-large', 'Its answer is too large.');
    case 'not-json':
      return t('chains.cause.not-json', 'Its answer is not JSON.');
    case 'not-understood':
      return t('chains.cause.not-understood', 'Its answer lacks what is needed.');
    case 'number':
      return t('chains.cause.number', 'A figure in its answer is not usable.');
    case 'rpc-error':
      return t('chains.cause.rpc-error', 'It answers with an error.');
    case 'warming-up':
      return t('chains.cause.warming-up', 'It is starting and loads its index.');
    case 'no-target':
      return t('chains.cause.no-target', 'It does not know yet how long the chain is.');
    case 'no-peers':
      return t('chains.cause.no-peers', 'It looks for peers.');
    case 'state-download':
      return t('chains.cause.state-download', 'It has the blocks and downloads their state.');
    case 'unverified':
      return t('chains.cause.unverified', 'Its execution client has not verified the newest blocks yet.');
    case 'no-new-blocks':
      return t('chains.cause.no-new-blocks', 'It calls itself synced, but no new blocks arrive.');
    case 'execution-offline':
      return t('chains.cause.execution-offline', 'Its execution client does not answer.');
  }
}
