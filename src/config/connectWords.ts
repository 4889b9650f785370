/** What each reason for not being connected means, and what to do. Pure. */
import { t } from '../i18n/t';
import type { ConnectCause } from './connectFailure';

export interface ConnectWords {
  /** The check that decides: 0 the name, 1 the port. */
  at: 0 | 1;
  detail: string;
  title: string;
  /** Parts between backticks are code. */
  text: string;
}

/** @param place host and port of the bridge, as they are shown */
export function connectWords(
  cause: Exclude<ConnectCause, 'answered'>,
  place: { host: string; port: string }
): ConnectWords {
  switch (cause) {
    case 'name':
      return {
        at: 0,
        detail: t('config.connect.name-detail', 'no such host'),
        title: t('config.connect.name-title', 'Could not resolve {{host}}', place),
        text: t(
          'config.connect.name-text',
          'The Grafana host cannot resolve this name. With containers, put Grafana and the bridge on the same network and use the service name. Otherwise, use the IP address.'
        ),
      };
    case 'refused':
      return {
        at: 1,
        detail: t('config.connect.refused-detail', 'refused'),
        title: t('config.connect.refused-title', 'Connection refused by {{host}}:{{port}}', place),
        text: t(
          'config.connect.refused-text',
          'The host is up, but nothing is listening on port {{port}}. Either the bridge is stopped, or it listens on 127.0.0.1 only: set `NODEBELL_HOST=0.0.0.0` if Grafana runs on another host.',
          place
        ),
      };
    case 'timeout':
      return {
        at: 1,
        detail: t('config.connect.timeout-detail', 'timed out'),
        title: t('config.connect.timeout-title', 'Connection to {{host}}:{{port}} timed out', place),
        text: t(
          'config.connect.timeout-text',
          'The host may be down, a firewall may be dropping packets to port {{port}}, or the address may be wrong.',
          place
        ),
      };
    case 'route':
      return {
        at: 1,
        detail: t('config.connect.route-detail', 'no route'),
        title: t('config.connect.route-title', 'No network route to {{host}}', place),
        text: t(
          'config.connect.route-text',
          'The Grafana host has no network route to this address. Check the address. With containers, check that Grafana and the bridge are on the same network.'
        ),
      };
    case 'tls':
      return {
        at: 1,
        detail: t('config.connect.tls-detail', 'open, TLS handshake failed'),
        title: t('config.connect.tls-title', 'TLS connection to {{host}}:{{port}} failed', place),
        text: t(
          'config.connect.tls-text',
          'The bridge serves plain HTTP: use `http://`. Use `https://` only with a reverse proxy whose certificate the Grafana server trusts.'
        ),
      };
    case 'cut':
      return {
        at: 1,
        detail: t('config.connect.reset-detail', 'open, connection reset'),
        title: t('config.connect.reset-title', 'Connection reset by {{host}}:{{port}}', place),
        text: t(
          'config.connect.reset-text',
          'The connection was accepted, then closed before a response was sent. Check the logs of the bridge and of any reverse proxy in front of it.'
        ),
      };
  }
}

/** Where nobody tells why there is no connection. @param named the address has a name, which may not resolve */
export const unknownCauseWords = (named: boolean): string =>
  named
    ? t(
        'config.connect.unknown-named',
        'Either the Grafana host cannot resolve the name, the bridge is stopped, or it listens on 127.0.0.1 only: set `NODEBELL_HOST=0.0.0.0` if Grafana runs on another host. Check the Grafana server log for the cause.'
      )
    : t(
        'config.connect.unknown',
        'Either the bridge is stopped, or it listens on 127.0.0.1 only: set `NODEBELL_HOST=0.0.0.0` if Grafana runs on another host. Check the Grafana server log for the cause.'
      );
