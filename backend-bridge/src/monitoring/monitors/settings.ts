/** Settings of the monitors. */
import { resolve } from 'node:path';

/** The value of a variable, or of the file that its `…_FILE` names; undefined if neither is configured. */
export type ReadSetting = (name: string) => string | undefined;

export interface MonitorSettings {
  /** The file that Gatus reads. */
  gatusConfig?: string | undefined;
  /** To ask which endpoints still fail. */
  gatusUrl?: string | undefined;
  grafana?: { url: string; token: string | undefined; datasource: string | undefined } | undefined;
  /** For the history of values, and to reload its rules. */
  prometheusUrl?: string | undefined;
  prometheusToken?: string | undefined;
  /** The rule file that Prometheus reads. */
  prometheusRules?: string | undefined;
  /** The URL of the bridge for monitors; undefined: the address that it listens at. */
  bridgeUrl?: string | undefined;
  /** The sender token of the monitors. */
  token?: string | undefined;
  /** Monitor that sends the alerts of nodes; undefined: the bridge. */
  chainAlerts?: Exclude<ChainAlerts, 'bridge'> | undefined;
}

const CHAIN_ALERTS = ['bridge', 'grafana', 'prometheus'] as const;
type ChainAlerts = (typeof CHAIN_ALERTS)[number];
/** The settings that each requires. */
const NEEDED: Readonly<Record<ChainAlerts, readonly string[]>> = {
  bridge: [],
  grafana: ['NODEBELL_GRAFANA_URL', 'NODEBELL_GRAFANA_TOKEN', 'NODEBELL_GRAFANA_DATASOURCE'],
  // Without the URL it is unknown whether Prometheus has loaded the file.
  prometheus: ['NODEBELL_PROMETHEUS_RULES', 'NODEBELL_PROMETHEUS_URL'],
};

/** @param mistakes receives all errors */
export function readMonitors(read: ReadSetting, mistakes: string[]): MonitorSettings {
  const address = (name: string): string | undefined => {
    const value = read(name);
    if (value !== undefined && holdsCredentials(value)) {
      // The value is not repeated: it may contain a password.
      mistakes.push(`${name}: contains a user name or a password; remove them, and set a token with its own variable`);
    } else if (value !== undefined && !(/^https?:\/\/[^/]/.test(value) && URL.canParse(value))) {
      mistakes.push(`${name}: found ${JSON.stringify(value)}, allowed is a URL such as http://127.0.0.1:3000`);
    }
    return value?.replace(/\/+$/, '');
  };
  const file = (name: string): string | undefined => {
    const value = read(name);
    return value === undefined ? undefined : resolve(value);
  };
  const withUrl = (urlName: string, tokenName: string) => {
    const [url, token] = [address(urlName), read(tokenName)];
    if (token !== undefined && url === undefined) {
      mistakes.push(`${tokenName}: set without ${urlName}; set both or none`);
    }
    return { url, token };
  };
  const { url, ...grafana } = withUrl('NODEBELL_GRAFANA_URL', 'NODEBELL_GRAFANA_TOKEN');
  const prometheus = withUrl('NODEBELL_PROMETHEUS_URL', 'NODEBELL_PROMETHEUS_TOKEN');
  const datasource = read('NODEBELL_GRAFANA_DATASOURCE');
  const chainAlerts = readChainAlerts(read, mistakes);
  return {
    gatusConfig: file('NODEBELL_GATUS_CONFIG'),
    gatusUrl: address('NODEBELL_GATUS_URL'),
    grafana: url === undefined ? undefined : { url, ...grafana, datasource },
    prometheusUrl: prometheus.url,
    prometheusToken: prometheus.token,
    prometheusRules: file('NODEBELL_PROMETHEUS_RULES'),
    bridgeUrl: address('NODEBELL_BRIDGE_URL'),
    token: read('NODEBELL_MONITOR_TOKEN'),
    chainAlerts: chainAlerts === 'bridge' ? undefined : chainAlerts,
  };
}

function readChainAlerts(read: ReadSetting, mistakes: string[]): ChainAlerts | undefined {
  const value = read('NODEBELL_CHAIN_ALERTS');
  const chosen = CHAIN_ALERTS.find((one) => one === value);
  if (chosen === undefined) {
    if (value !== undefined) {
      const allowed = `allowed is one of ${CHAIN_ALERTS.join(', ')}`;
      mistakes.push(`NODEBELL_CHAIN_ALERTS: found ${JSON.stringify(value)}, ${allowed}`);
    }
    return undefined;
  }
  const missing = NEEDED[chosen].filter((name) => read(name) === undefined);
  if (missing.length > 0) {
    mistakes.push(`NODEBELL_CHAIN_ALERTS: ${chosen} needs ${missing.join(', ')} as well`);
  }
  return chosen;
}

function holdsCredentials(text: string): boolean {
  const url = URL.parse(text);
  // Without a scheme, or with a slash in the password, it is not parsed as a URL with a host.
  return url?.host ? url.username !== '' || url.password !== '' : text.includes('@');
}
