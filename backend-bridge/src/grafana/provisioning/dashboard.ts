/** What Grafana would stumble over in a dashboard that is provisioned as a file. Pure. */
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import { type At, type Read, readShape, type Told } from './read.ts';
import { type DashboardFile, dashboardSchema } from './shapes.ts';

/** The panels of the app; their ids do not change. */
export const PANELS = [
  'nodebell-inbox-panel',
  'nodebell-thresholds-panel',
  'nodebell-chainsync-panel',
  'nodebell-packages-panel',
];
const COLUMNS = 24;

const wrong = (rule: string, title: string, detail: string): Told => ({ rule, verdict: 'error', title, detail });

/** A query or a panel and the data source that it names. */
export interface Asked {
  path: PropertyKey[];
  /** Not that of a variable, nor one of Grafana's own. */
  uid: string;
}

export interface ReadDashboard extends Read<DashboardFile> {
  asks: Asked[];
  /** The ids of its panels. */
  panels: number[];
}

/** @param file its name, for the findings */
export function readDashboard(file: string, text: string): ReadDashboard {
  const noJson = syntaxOf(file, text);
  // A parser of YAML tells the places; it takes no tabs for indents, and JSON does not care.
  const read = readShape(
    file,
    text.replace(/^\t+/gm, (tabs) => ' '.repeat(tabs.length)),
    dashboardSchema
  );
  if (noJson) {
    return { file, findings: [noJson], at: read.at, asks: [], panels: [] };
  }
  const { value, at } = read;
  if (value === undefined) {
    return { ...read, asks: [], panels: [] };
  }
  const panels = allPanels(value);
  const variables = new Set((value.templating?.list ?? []).map(({ name }) => String(name)));
  const { asks, findings } = dataSources(value, variables, at);
  read.findings.push(...judgePanels(panels, at), ...findings, ...judgeInputs(value, at));
  return { ...read, asks, panels: panels.map(({ id }) => Number(id)) };
}

function syntaxOf(file: string, text: string): ProvisioningFinding | undefined {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first === undefined) {
    return undefined;
  }
  const lines = text.slice(0, first.offset).split('\n');
  const place = { line: lines.length, column: lines.at(-1)!.length + 1 };
  const detail = `The parser says ${printParseErrorCode(first.error)}.`;
  const end = { endLine: place.line, endColumn: place.column + first.length };
  return { ...wrong('json', 'This is no JSON', detail), file, pointer: '', ...place, ...end };
}

interface Panel {
  path: PropertyKey[];
  id: string | number | boolean | undefined;
  type: string;
  gridPos: { x: number; w: number } | undefined;
}

function allPanels({ panels = [] }: DashboardFile): Panel[] {
  return panels.flatMap((panel, index) => {
    const path = ['panels', index];
    const { id, type, gridPos } = panel;
    const grid = { x: Number(gridPos.x), w: Number(gridPos.w) };
    const inner = (panel.panels ?? []).map((one, at) => ({
      path: [...path, 'panels', at],
      id: one.id,
      type: String(one.type),
      gridPos: undefined,
    }));
    return [{ path, id, type: String(type), gridPos: grid }, ...inner];
  });
}

function judgePanels(panels: Panel[], at: At): ProvisioningFinding[] {
  const seen = new Set<unknown>();
  return panels.flatMap(({ path, id, type, gridPos }) => {
    const findings: ProvisioningFinding[] = [];
    if (id !== undefined && seen.has(id)) {
      const detail = `Another panel has the id ${String(id)}: rules and links could not tell them apart.`;
      findings.push(at([...path, 'id'], wrong('panel-id', 'The id is there twice', detail)));
    }
    seen.add(id);
    if (type.startsWith('nodebell-') && !PANELS.includes(type)) {
      const detail = `The app has ${PANELS.join(', ')}.`;
      findings.push(at([...path, 'type'], wrong('panel-type', `There is no panel ${type}`, detail)));
    }
    if (gridPos !== undefined && gridPos.x + gridPos.w > COLUMNS) {
      const detail = `x and w are ${gridPos.x + gridPos.w} together; a dashboard is ${COLUMNS} columns wide.`;
      findings.push(at([...path, 'gridPos'], wrong('grid', 'The panel is not on the grid', detail)));
    }
    return findings;
  });
}

/** Grafana's own, which every server has. */
const OWN = /^(-- .+ --|grafana|__expr__|)$/;

function dataSources(
  value: DashboardFile,
  variables: ReadonlySet<string>,
  at: At
): { asks: Asked[]; findings: ProvisioningFinding[] } {
  const asks: Asked[] = [];
  const findings: ProvisioningFinding[] = [];
  walk(value, [], (path, uid) => {
    const [, variable] = /^\$\{?(\w+)(?::\w+)?\}?$/.exec(uid) ?? [];
    if (variable === undefined) {
      if (!OWN.test(uid)) {
        asks.push({ path, uid });
      }
    } else if (!variables.has(variable)) {
      const detail = `The dashboard has no variable ${variable}${variables.size > 0 ? `; it has ${[...variables].join(', ')}` : ''}.`;
      findings.push(at(path, wrong('variable', 'The variable is not there', detail)));
    }
  });
  return { asks, findings };
}

function walk(value: unknown, path: PropertyKey[], found: (path: PropertyKey[], uid: string) => void): void {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    const inner = [...path, Array.isArray(value) ? Number(key) : key];
    const uid: unknown = key === 'datasource' ? (member as { uid?: unknown } | null)?.uid : undefined;
    if (typeof uid === 'string') {
      found([...inner, 'uid'], uid);
    }
    walk(member, inner, found);
  }
}

/** They are asked for when somebody imports the dashboard; from a file, nobody is asked. */
function judgeInputs(value: DashboardFile, at: At): ProvisioningFinding[] {
  if (!('__inputs' in value)) {
    return [];
  }
  const detail = 'Nobody answers them when a file is provisioned. Use a variable of the type datasource.';
  return [at(['__inputs'], wrong('inputs', 'The dashboard asks for inputs', detail))];
}
