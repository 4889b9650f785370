/** Reads Grafana's provisioning folder without a Grafana, and judges it as one. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import { readText } from '../../provisioning/readText.ts';
import { judgeAlerting } from './alerting.ts';
import { judgeApps } from './app.ts';
import { readDashboard } from './dashboard.ts';
import { type Read, readShape } from './read.ts';
import { alertingSchema, appsSchema, datasourcesSchema, providersSchema } from './shapes.ts';
import { judgeTogether } from './together.ts';

/** The folders of Grafana's that are judged. */
export const GRAFANA_FOLDERS = ['plugins', 'datasources', 'alerting', 'dashboards'] as const;

export interface GrafanaFolder {
  /** Relative to the folder, with slashes; those without findings as well. */
  files: string[];
  findings: ProvisioningFinding[];
}

const YAML = /\.ya?ml$/i;
const IGNORES = 'Grafana ignores';

/** @param dir the folder that holds Grafana's folders; any of these may be missing */
export async function loadGrafana(dir: string): Promise<GrafanaFolder> {
  const findings: ProvisioningFinding[] = [];
  const readAll = async <T extends Read<unknown>>(
    names: Promise<string[]>,
    read: (name: string, text: string) => T
  ): Promise<T[]> => {
    const all = await Promise.all(
      (await names).map(async (name) => {
        const text = await readText(path.join(dir, name));
        return 'problem' in text ? unreadable(name, text.problem) : read(name, text.text);
      })
    );
    findings.push(...all.flatMap((one) => ('rule' in one ? [one] : one.findings)));
    return all.filter((one): one is Awaited<T> => !('rule' in one));
  };
  const shaped =
    <T>(schema: z.ZodType<T>) =>
    (name: string, text: string): Read<T> =>
      readShape(name, text, schema, IGNORES);

  const plugins = await readAll(list(dir, 'plugins', YAML), shaped(appsSchema));
  const datasources = await readAll(list(dir, 'datasources', YAML), shaped(datasourcesSchema));
  const alerting = await readAll(list(dir, 'alerting', YAML), shaped(alertingSchema));
  const providers = await readAll(list(dir, 'dashboards', YAML), shaped(providersSchema));
  const dashboards = await readAll(list(dir, 'dashboards', /\.json$/i, true), readDashboard);
  findings.push(
    ...plugins.flatMap(judgeApps),
    ...alerting.flatMap(judgeAlerting),
    ...judgeTogether({ datasources, alerting, dashboards })
  );
  return {
    files: [...plugins, ...datasources, ...alerting, ...providers, ...dashboards].map(({ file }) => file),
    findings,
  };
}

/** @param deep with the folders in it */
async function list(dir: string, folder: string, named: RegExp, deep = false): Promise<string[]> {
  try {
    const entries = await readdir(path.join(dir, folder), { recursive: deep });
    const files = entries.map((name) => name.split(path.sep).join('/'));
    return files
      .filter((name) => named.test(name) && !/(^|\/)\./.test(name))
      .map((name) => `${folder}/${name}`)
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return [];
    }
    throw error;
  }
}

function unreadable(file: string, problem: string): ProvisioningFinding {
  const place = { pointer: '', line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { rule: 'file', verdict: 'error', title: 'The file cannot be read', detail: `It ${problem}.`, file, ...place };
}
