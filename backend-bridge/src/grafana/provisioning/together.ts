/** What Grafana's files say of each other: what is named and not there, and what is there twice. Pure. */
import type { z } from 'zod';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import type { AlertingFile } from './alerting.ts';
import type { ReadDashboard } from './dashboard.ts';
import type { Read, Told } from './read.ts';
import type { datasourcesSchema, Rule } from './shapes.ts';
import { isVariable } from './values.ts';

export interface GrafanaFiles {
  datasources: Read<z.infer<typeof datasourcesSchema>>[];
  alerting: Read<AlertingFile>[];
  dashboards: ReadDashboard[];
}

interface Named {
  name: string;
  tell: (told: Told) => ProvisioningFinding;
}

interface NamedRule extends Named {
  rule: Rule;
  file: Read<AlertingFile>;
  path: PropertyKey[];
}

export function judgeTogether(files: GrafanaFiles): ProvisioningFinding[] {
  const rules = rulesOf(files);
  const points = pointsOf(files);
  const sources = sourcesOf(files);
  const known = hasShape(files.datasources);
  return [
    ...twice(rules, 'rule', 'The uid of a rule'),
    ...twice(points, 'contact-point', 'The name of a contact point'),
    ...twice(sources, 'data-source', 'The uid of a data source'),
    ...twice(dashboardsOf(files), 'dashboard', 'The uid of a dashboard'),
    ...rules.flatMap((rule) => namedBy(rule, points, sources, files)),
    ...files.dashboards.flatMap(({ asks, at }) =>
      asks
        .filter(({ uid }) => known && isMissing(uid, sources))
        .map(({ path, uid }) => at(path, elsewhere('data-source', `data source with the uid ${uid}`)))
    ),
  ];
}

function rulesOf({ alerting }: GrafanaFiles): NamedRule[] {
  return alerting.flatMap((file) =>
    (file.value?.groups ?? []).flatMap(({ rules = [] }, index) =>
      rules.map((rule, nth) => {
        const path = ['groups', index, 'rules', nth];
        return { name: String(rule.uid), tell: (told: Told) => file.at([...path, 'uid'], told), rule, file, path };
      })
    )
  );
}

function pointsOf({ alerting }: GrafanaFiles): Named[] {
  return alerting.flatMap(({ value, at }) =>
    (value?.contactPoints ?? []).map(({ name }, index) => ({
      name: String(name),
      tell: (told: Told) => at(['contactPoints', index, 'name'], told),
    }))
  );
}

function sourcesOf({ datasources }: GrafanaFiles): Named[] {
  return datasources.flatMap(({ value, at }) =>
    (value?.datasources ?? []).flatMap(({ uid }, index) =>
      uid === undefined ? [] : [{ name: String(uid), tell: (told: Told) => at(['datasources', index, 'uid'], told) }]
    )
  );
}

function dashboardsOf({ dashboards }: GrafanaFiles): Named[] {
  return dashboards.flatMap(({ value, at }) =>
    value === undefined ? [] : [{ name: String(value.uid), tell: (told: Told) => at(['uid'], told) }]
  );
}

function twice(all: readonly Named[], rule: string, what: string): ProvisioningFinding[] {
  const detail = `${what} stands for one thing only. Give this one another.`;
  return all
    .filter(({ name }, index) => all.findIndex((one) => one.name === name) < index)
    .map(({ name, tell }) =>
      tell({ rule: `${rule}-twice`, verdict: 'error', title: `${name} is there twice`, detail })
    );
}

/** What a rule needs beyond itself. */
function namedBy(
  { rule, file: { at }, path }: NamedRule,
  points: readonly Named[],
  sources: readonly Named[],
  { alerting, datasources, dashboards }: GrafanaFiles
): ProvisioningFinding[] {
  const findings: ProvisioningFinding[] = [];
  const receiver = rule.notification_settings?.receiver;
  if (receiver !== undefined && hasShape(alerting) && isMissing(receiver, points)) {
    const place = [...path, 'notification_settings', 'receiver'];
    findings.push(at(place, elsewhere('contact-point', `contact point ${String(receiver)}`)));
  }
  rule.data.forEach(({ datasourceUid }, index) => {
    // "-100" is the old name of the expressions.
    const isQuery = !['__expr__', '-100'].includes(String(datasourceUid));
    if (isQuery && hasShape(datasources) && isMissing(datasourceUid, sources)) {
      const told = elsewhere('data-source', `data source with the uid ${String(datasourceUid)}`);
      findings.push(at([...path, 'data', index, 'datasourceUid'], told));
    }
  });
  const { dashboardUid, panelId } = rule;
  if (dashboardUid === undefined || isVariable(dashboardUid)) {
    return findings;
  }
  const dashboard = dashboards.find(({ value }) => value?.uid === dashboardUid);
  if (dashboard === undefined && hasShape(dashboards)) {
    findings.push(
      at([...path, 'dashboardUid'], elsewhere('dashboard', `dashboard with the uid ${String(dashboardUid)}`))
    );
  } else if (
    dashboard &&
    panelId !== undefined &&
    !isVariable(panelId) &&
    !dashboard.panels.includes(Number(panelId))
  ) {
    const detail = `${dashboard.file} has the panels ${dashboard.panels.join(', ')}.`;
    const told: Told = { rule: 'panel', verdict: 'error', title: 'The panel is not there', detail };
    findings.push(at([...path, 'panelId'], told));
  }
  return findings;
}

/** What stands in a file that has not the shape is not known. */
const hasShape = (files: readonly Read<unknown>[]): boolean => files.every(({ value }) => value !== undefined);

function isMissing(name: unknown, all: readonly Named[]): boolean {
  return !isVariable(name) && !all.some((one) => one.name === name || isVariable(one.name));
}

/** It may have been made by hand, or stand in a folder that is not judged here: a warning. */
const elsewhere = (rule: string, what: string): Told => ({
  rule: `${rule}-elsewhere`,
  verdict: 'warning',
  title: 'It is not in these files',
  detail: `No file here provisions a ${what}. Where Grafana does not have it either, it refuses this.`,
});
