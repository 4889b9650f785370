/** Settings of the monitors that the bridge writes to. */
import { resolve } from 'node:path';

/** The value of a variable, or of the file that its `…_FILE` names; undefined if neither is configured. */
export type ReadSetting = (name: string) => string | undefined;

export interface MonitorSettings {
  /** The file that Gatus reads. */
  gatusConfig?: string;
  grafana?: { url: string; token: string | undefined; datasource: string | undefined };
  /** Where Prometheus answers: it is asked for the history of values, and to read its rules anew. */
  prometheusUrl?: string;
  /** What it is asked with. */
  prometheusToken?: string;
  /** The rule file that Prometheus reads. */
  prometheusRules?: string;
  /** Where monitors reach the bridge; undefined: where it listens. */
  bridgeUrl?: string;
  /** The sender's token that monitors send with. */
  token?: string;
  /** Which monitor tells of nodes; undefined: the bridge does it itself. */
  chainAlerts?: Exclude<ChainAlerts, 'bridge'>;
}

const CHAIN_ALERTS = ['bridge', 'grafana', 'prometheus'] as const;
type ChainAlerts = (typeof CHAIN_ALERTS)[number];
/** What each needs. */
const NEEDED: Readonly<Record<ChainAlerts, readonly string[]>> = {
  bridge: [],
  grafana: ['NODEBELL_GRAFANA_URL', 'NODEBELL_GRAFANA_TOKEN', 'NODEBELL_GRAFANA_DATASOURCE'],
  // Without the address nobody knows whether the file has been read.
  prometheus: ['NODEBELL_PROMETHEUS_RULES', 'NODEBELL_PROMETHEUS_URL'],
};

/** @param mistakes what is wrong is added here */
export function readMonitors(read: ReadSetting, mistakes: string[]): MonitorSettings {
  const address = (name: string): string | undefined => {
    const value = read(name);
    if (value !== undefined && holdsCredentials(value)) {
      // It may be a password, so it is not repeated.
      mistakes.push(`${name}: it holds a user name or a password; leave them out, tokens have variables of their own`);
    } else if (value !== undefined && !/^https?:\/\/[^/]/.test(value)) {
      mistakes.push(`${name}: found ${JSON.stringify(value)}, allowed is an address such as http://127.0.0.1:3000`);
    }
    return value?.replace(/\/+$/, '');
  };
  const file = (name: string): string | undefined => {
    const value = read(name);
    return value === undefined ? undefined : resolve(value);
  };
  const gatusConfig = file('NODEBELL_GATUS_CONFIG');
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
  // Each may be given as a file as well, and a file that cannot be read is told once.
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
