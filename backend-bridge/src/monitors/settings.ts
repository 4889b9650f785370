/** Settings of the monitors that the bridge writes to. */
import { resolve } from 'node:path';
import type { ReadSetting } from '../config.ts';

export interface MonitorSettings {
  /** The file that Gatus reads. */
  gatusConfig?: string;
  grafana?: { url: string; token: string | undefined; datasource: string | undefined };
  /** Where Prometheus answers: it is asked to read its rules anew. */
  prometheusUrl?: string;
  /** The rule file that Prometheus reads. */
  prometheusRules?: string;
  /** Where monitors reach the bridge; undefined: where it listens. */
  bridgeUrl?: string;
  /** The sender's token that monitors send with. */
  token?: string;
}

/** @param mistakes what is wrong is added here */
export function readMonitors(read: ReadSetting, mistakes: string[]): MonitorSettings {
  const address = (name: string): string | undefined => {
    const value = read(name);
    if (value !== undefined && !/^https?:\/\/[^/]/.test(value)) {
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
  const prometheusRules = file('NODEBELL_PROMETHEUS_RULES');
  const bridgeUrl = address('NODEBELL_BRIDGE_URL');
  const token = read('NODEBELL_MONITOR_TOKEN');
  if (grafanaToken !== undefined && grafanaUrl === undefined) {
    mistakes.push('NODEBELL_GRAFANA_TOKEN: set without NODEBELL_GRAFANA_URL; set both or none');
  }
  return {
    ...(gatusConfig !== undefined && { gatusConfig }),
    ...(grafanaUrl !== undefined && { grafana: { url: grafanaUrl, token: grafanaToken, datasource } }),
    ...(prometheusUrl !== undefined && { prometheusUrl }),
    ...(prometheusRules !== undefined && { prometheusRules }),
    ...(bridgeUrl !== undefined && { bridgeUrl }),
    ...(token !== undefined && { token }),
  };
}
