/** Defaults for queries, caching and errors. */
import { AppEvents } from '@grafana/data';
import { MutationCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import { t } from '../i18n/t';
import { toBridgeError, type BridgeError } from './errors';
import { toast } from './toast';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: BridgeError;
    mutationMeta: {
      /** The title of the error message: "Could not delete". A function of the variables where one mutation has several. */
      failure?: string | ((variables: never) => string);
      /** The page shows the error itself. */
      quiet?: boolean;
      /** Start of the keys of queries that are read again afterwards, also after a failure. */
      rereads?: readonly QueryKey[];
    };
  }
}

/**
 * The event stream says when something changed, so data does not expire and is not refetched on focus.
 * Requests are not retried here: the page shows a countdown and retries by itself.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
    mutationCache: new MutationCache({
      onError: (error, variables, _context, { meta: { quiet, failure } = {} }) => {
        if (!quiet) {
          const title = typeof failure === 'function' ? failure(variables as never) : failure;
          showFailure(title ?? t('bridge.error.failed', 'The request failed'), error);
        }
      },
      onSettled: (_data, _error, _variables, _context, { meta: { rereads = [] } = {} }, { client }) =>
        Promise.all(rereads.map((queryKey) => client.invalidateQueries({ queryKey }))),
    }),
  });
}

/** Shows an error toast of Grafana for a failed change. */
export function showFailure(title: string, error: unknown) {
  toast(AppEvents.alertError, title, explainChange(toBridgeError(error)));
}

/** The error of a failed change as a message for the user. Without a response nobody knows whether the bridge received it. */
export const explainChange = (error: BridgeError): string =>
  error.kind === 'unreachable'
    ? t('bridge.error.unreachable', 'The bridge is not responding. The change may not have been saved.')
    : explain(error);

/** The error of a failed query as a message for the user. */
export function explain(error: BridgeError): string {
  switch (error.kind) {
    case 'role':
      return t('bridge.error.role', 'Your role does not allow this.');
    case 'token':
      return t(
        'bridge.error.token',
        'The bridge rejected the token sent by Grafana. An admin must configure a valid token.'
      );
    default:
      return error.message;
  }
}
