/** Settings of the monitors. */
import { resolve } from 'node:path';

/** The value of a variable, or of the file that its `…_FILE` names; undefined if neither is configured. */
export type ReadSetting = (name: string) => string | undefined;

export interface MonitorSettings {
  /** The file that Gatus reads. */
  gatusConfig?: string;
  /** To ask which endpoints still fail. */
  gatusUrl?: string;
  grafana?: { url: string; token: string | undefined; datasource: string | undefined };
  /** For the history of values, and to reload its rules. */
  prometheusUrl?: string;
  prometheusToken?: string;
  /** The rule file that Prometheus reads. */
  prometheusRules?: string;
  /** The URL of the bridge for monitors; undefined: the address that it listens at. */
  bridgeUrl?: string;
  /** The sender token of the monitors. */
  token?: string;
  /** Monitor that sends the alerts of nodes; undefined: the bridge. */
  chainAlerts?: Exclude<ChainAlerts, 'bridge'>;
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
    } else if (value !== undefined && !/^https?:\/\/[^/]/.test(value)) {
      mistakes.push(`${name}: found ${JSON.stringify(value)}, allowed is a URL such as http://127.0.0.1:3000`);
    }
    return value?.replace(/\/+$/, '');
  };
  const file = (name: string): string | undefined => {
    const value = read(name);
    return value === undefined ? undefined : resolve(value);
  };
  const gatusConfig = file('NODEBELL_GATUS_CONFIG');
  const gatusUrl = address('NODEBELL_GATUS_URL');
  const grafanaUrl = address('NODEBELL_GRAFANA_URL');
  const grafanaToken = read('NODEBELL_GRAFANA_TOKEN');
  const datasource = read('NODEBELL_GRAFANA_DATASOURCE');
  const prometheusUrl = address('NODEBELL_PROMETHEUS_URL');
  const prometheusToken = read('NODEBELL_PROMETHEUS_TOKEN');
  const prometheusRules = file('NODEBELL_PROMETHEUS_RULES');
  const bridgeUrl = address('NODEBELL_BRIDGE_URL');
  const token = read('NODEBELL_MONITOR_TOKEN');
  if (grafanaToken !== undefined && grafanaUrl === undefined) {
    mistakes.push('NODEBELL_GRAFANA_TOKEN: set without NODEBELL_GRAFANA_URL; set both or none');
  }
  if (prometheusToken !== undefined && prometheusUrl === undefined) {
    mistakes.push('NODEBELL_PROMETHEUS_TOKEN: set without NODEBELL_PROMETHEUS_URL; set both or none');
  }
  const chainAlerts = readChainAlerts(read, mistakes);
  return {
    ...(gatusConfig !== undefined && { gatusConfig }),
    ...(gatusUrl !== undefined && { gatusUrl }),
    ...(grafanaUrl !== undefined && { grafana: { url: grafanaUrl, token: grafanaToken, datasource } }),
    ...(prometheusUrl !== undefined && { prometheusUrl }),
    ...(prometheusToken !== undefined && { prometheusToken }),
    ...(prometheusRules !== undefined && { prometheusRules }),
    ...(bridgeUrl !== undefined && { bridgeUrl }),
    ...(token !== undefined && { token }),
    ...(chainAlerts !== undefined && chainAlerts !== 'bridge' && { chainAlerts }),
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
  return url !== null && (url.username !== '' || url.password !== '');
}
