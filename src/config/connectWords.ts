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
        detail: t('config.connect.name-detail', 'no such name'),
        title: t('config.connect.name-title', 'The name {{host}} does not resolve', place),
        text: t(
          'config.connect.name-text',
          'The machine that runs Grafana knows no address for this name. In containers, both must be in one network, and the name is that of the service; elsewhere, enter the IP address instead.'
        ),
      };
    case 'refused':
      return {
        at: 1,
        detail: t('config.connect.refused-detail', 'refused'),
        title: t('config.connect.refused-title', 'Connection refused by {{host}}:{{port}}', place),
        text: t(
          'config.connect.refused-text',
          'The machine answers, but nothing listens on port {{port}}. Either the bridge is stopped, or it listens on 127.0.0.1 only: set `NODEBELL_HOST=0.0.0.0` where Grafana runs on another machine.',
          place
        ),
      };
    case 'timeout':
      return {
        at: 1,
        detail: t('config.connect.timeout-detail', 'no answer in time'),
        title: t('config.connect.timeout-title', '{{host}}:{{port}} does not answer in time', place),
        text: t(
          'config.connect.timeout-text',
          'The machine is switched off, a firewall drops what is sent to port {{port}}, or the address is that of another machine.',
          place
        ),
      };
    case 'route':
      return {
        at: 1,
        detail: t('config.connect.route-detail', 'no way there'),
        title: t('config.connect.route-title', 'There is no way to {{host}}', place),
        text: t(
          'config.connect.route-text',
          'The network of the machine that runs Grafana does not reach this address. Check the address, and in containers whether both are in one network.'
        ),
      };
    case 'tls':
      return {
        at: 1,
        detail: t('config.connect.tls-detail', 'open, but not with this certificate'),
        title: t('config.connect.tls-title', 'No secure connection to {{host}}:{{port}}', place),
        text: t(
          'config.connect.tls-text',
          'The bridge itself speaks HTTP: enter `http://`, or `https://` for a reverse proxy in front of it whose certificate Grafana’s server trusts.'
        ),
      };
    case 'cut':
      return {
        at: 1,
        detail: t('config.connect.cut-detail', 'open, and cut off'),
        title: t('config.connect.cut-title', 'The connection to {{host}}:{{port}} was cut off', place),
        text: t(
          'config.connect.cut-text',
          'Something accepts the connection and ends it before it answers. Look into the log of the bridge, and of a proxy in front of it.'
        ),
      };
  }
}

/** Where nobody tells why there is no connection. @param named the address has a name, which may not resolve */
export const unknownCauseWords = (named: boolean): string =>
  named
    ? t(
        'config.connect.unknown-named',
        'Either the name does not resolve on the machine that runs Grafana, or the bridge is stopped, or it listens on 127.0.0.1 only: set `NODEBELL_HOST=0.0.0.0` where Grafana runs on another machine. Grafana does not tell which; its log does.'
      )
    : t(
        'config.connect.unknown',
        'The bridge is stopped, or it listens on 127.0.0.1 only: set `NODEBELL_HOST=0.0.0.0` where Grafana runs on another machine. Grafana does not tell which; its log does.'
      );
