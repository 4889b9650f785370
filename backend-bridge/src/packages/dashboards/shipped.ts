/** Reads a dashboard that a package ships, and makes it one that any Grafana can take. */
import { isObject } from '../../../contract/text.ts';
import { uidFor, UID } from './uid.ts';

type Json = Record<string, unknown>;
export type Shipped = { title: string; uid: string; dashboard: Json } | { problem: string };

/**
 * Keeps the uid of a shipped dashboard or creates one, and removes members of the Grafana that exported it (`id`, `version`). Data sources
 * and constants that an import would prompt for (`__inputs`) become variables of the dashboard.
 * @param name of the package
 * @param file for the uid, when one has to be given
 */
export function readShipped(name: string, file: { path: string; text: string }): Shipped {
  let parsed: unknown;
  try {
    parsed = JSON.parse(file.text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return { problem: `It is no JSON: ${(error as Error).message}.` };
  }
  // The response of Grafana's API has the dashboard in a member.
  const model = isObject(parsed) && isObject(parsed.dashboard) ? parsed.dashboard : parsed;
  if (!isObject(model)) {
    return { problem: 'It is no dashboard: its JSON must be an object.' };
  }
  if (isObject(model.spec) || 'elements' in model) {
    return { problem: 'It is a dashboard of the schema v2; export it in the classic model.' };
  }
  if (typeof model.title !== 'string' || model.title.trim() === '') {
    return { problem: 'It is no dashboard: it has no title.' };
  }
  if (!Array.isArray(model.panels) && !Array.isArray(model.rows)) {
    return { problem: 'It is no dashboard: it has no list of panels.' };
  }
  const uid = typeof model.uid === 'string' && UID.test(model.uid) ? model.uid : uidFor(`${name}/${file.path}`);
  return { title: model.title.trim(), uid, dashboard: { ...imported(model), uid, tags: tagged(model.tags) } };
}

const tagged = (tags: unknown): unknown[] => [
  ...new Set([...(Array.isArray(tags) ? (tags as unknown[]) : []), 'nodebell']),
];

interface Input {
  name: string;
  type: string;
  label?: string;
  pluginId?: string;
  value?: unknown;
}

function imported(model: Json): Json {
  const { __inputs: inputs, __requires: _requires, __elements: _elements, id: _id, version: _version, ...rest } = model;
  const prompted = Array.isArray(inputs) ? inputs.filter(isInput) : [];
  const templating = isObject(rest.templating) ? rest.templating : {};
  const known = Array.isArray(templating.list) ? (templating.list as unknown[]) : [];
  const names = new Set(known.flatMap((one) => (isObject(one) ? [one.name] : [])));
  const added = prompted.filter(({ name }) => !names.has(name)).flatMap(variableOf);
  return added.length === 0 ? rest : { ...rest, templating: { ...templating, list: [...added, ...known] } };
}

function isInput(value: unknown): value is Input {
  return (
    isObject(value) && typeof value.name === 'string' && /^\w+$/.test(value.name) && typeof value.type === 'string'
  );
}

function variableOf({ name, type, label, pluginId, value }: Input): Json[] {
  if (type === 'datasource' && typeof pluginId === 'string') {
    const title = typeof label === 'string' ? label : name;
    return [
      { name, label: title, type: 'datasource', query: pluginId, hide: 0, includeAll: false, multi: false, refresh: 1 },
    ];
  }
  if (type === 'constant') {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    return [{ name, type: 'constant', query: text, current: { text, value: text }, hide: 2, skipUrlSync: true }];
  }
  return [];
}
