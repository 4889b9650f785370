/** Endpoints as the API returns them. Pure. */
import semver from 'semver';
import { readCondition, step, withUnit } from '../../../contract/condition.ts';
import {
  type Effect,
  type Endpoint,
  type EndpointPackage,
  type EndpointSwitch,
  type EndpointThreshold,
  type Leftover,
  type MUTED_BY,
  sentenceAt,
} from '../../../contract/endpoint.ts';
import { isoTime } from '../../../contract/text.ts';
import type { EndpointRequirements } from '../../validation/notifications/validateNotifications.ts';
import type { SettingRow } from '../../platform/storage/schema.ts';
import { conditionOf, enabledOf, fits, type Overlay, packageEnabled, thresholdOf, thresholdSet } from './overlay.ts';
import type { ShippedEndpoint, MonitoredEndpoint } from '../monitors/monitor.ts';
import type { ShippedPackage } from './shipped.ts';

/** The context of a package and its settings. */
export interface Surroundings {
  versionOf: (dnpName: string) => string | undefined;
  mutedCategories: ReadonlySet<string>;
  effectsOf: (watched: MonitoredEndpoint) => Effect[];
  hasHistory: (watched: MonitoredEndpoint) => boolean;
  /** Whether Gatus evaluates conditions, so that its cautions are shown. */
  isForGatus: boolean;
  problemsOf: (shipped: ShippedPackage) => EndpointPackage['problems'];
}

export function presentPackage(shipped: ShippedPackage, overlay: Overlay, around: Surroundings): EndpointPackage {
  const { dnpName, version, icon, endpoints } = shipped;
  return {
    dnpName,
    version,
    ...(icon !== undefined && { icon }),
    enabled: presentSwitch(packageEnabled(overlay), true, overlay.get('', 'enabled')),
    endpoints: endpoints.map((one) => presentEndpoint(dnpName, one, overlay, around)),
    leftovers: leftoversOf(endpoints, overlay),
    problems: around.problemsOf(shipped),
  };
}

export function presentEndpoint(
  dnpName: string,
  shipped: ShippedEndpoint,
  overlay: Overlay,
  around: Surroundings
): Endpoint {
  const { correlationId } = shipped;
  const watched = monitoredEndpoint(dnpName, shipped, overlay, around);
  const inactive = unmet(shipped.requirements, around.versionOf);
  const threshold = presentThreshold(shipped, overlay);
  const members = sentenceMembers(shipped, overlay, threshold);
  const sentence = threshold && sentenceAt(members, threshold.value);
  const reason = threshold ? undefined : whyNoThreshold(shipped);
  return {
    ...labelsOf(shipped),
    enabled: presentSwitch(enabledOf(shipped, overlay), shipped.enabled, overlay.get(correlationId, 'enabled')),
    mutedBy: mutedBy(shipped, overlay, around),
    ...members,
    ...(threshold && { threshold }),
    ...(sentence !== undefined && { sentence }),
    ...(reason !== undefined && { readOnly: reason }),
    ...(around.hasHistory(watched) && { history: true }),
    cautions: around.isForGatus ? (watched.condition?.cautions ?? []) : [],
    active: inactive === undefined,
    ...(inactive !== undefined && { inactive }),
    effects: around.effectsOf(watched),
  };
}

/** The members that the sentence is built from. */
function sentenceMembers(shipped: ShippedEndpoint, overlay: Overlay, threshold: EndpointThreshold | undefined) {
  const { kind, correlationId, condition, metric } = shipped;
  const effective = conditionOf(shipped, overlay);
  return {
    kind,
    correlationId,
    ...(condition && effective !== undefined && { condition: { shipped: condition.text, effective } }),
    ...(threshold && metric && { metric: { ...metric, step: step(metric.min, metric.max, threshold.value) } }),
  };
}

function labelsOf({ title, description, category, priority, isBanner }: ShippedEndpoint) {
  return {
    title,
    ...(description !== undefined && { description }),
    ...(category !== undefined && { category }),
    ...(priority && { priority }),
    isBanner,
  };
}

/** The endpoint with its settings applied. */
export function monitoredEndpoint(
  dnpName: string,
  shipped: ShippedEndpoint,
  overlay: Overlay,
  around: Pick<Surroundings, 'versionOf' | 'mutedCategories'>
): MonitoredEndpoint {
  const text = conditionOf(shipped, overlay);
  const threshold = thresholdOf(shipped, overlay);
  const isActive = unmet(shipped.requirements, around.versionOf) === undefined;
  return {
    dnpName,
    shipped,
    ...(text !== undefined && {
      condition: text === shipped.condition?.text ? shipped.condition : readCondition(text),
    }),
    ...(threshold !== undefined && { threshold }),
    on: isActive && mutedBy(shipped, overlay, around).length === 0,
  };
}

function mutedBy(
  shipped: ShippedEndpoint,
  overlay: Overlay,
  { mutedCategories }: Pick<Surroundings, 'mutedCategories'>
): (typeof MUTED_BY)[number][] {
  return [
    ...(enabledOf(shipped, overlay) ? [] : (['endpoint'] as const)),
    ...(packageEnabled(overlay) ? [] : (['package'] as const)),
    ...(shipped.category !== undefined && mutedCategories.has(shipped.category) ? (['category'] as const) : []),
  ];
}

function originOf(row: SettingRow | undefined): Pick<EndpointSwitch, 'origin' | 'file' | 'setAt' | 'setBy'> {
  if (row === undefined) {
    return { origin: 'package' };
  }
  const origin = row.file === '' ? { origin: 'user' as const } : { origin: 'provisioned' as const, file: row.file };
  return { ...origin, setAt: isoTime(row.ts), ...(row.set_by !== null && { setBy: row.set_by }) };
}

function presentSwitch(value: boolean, shipped: boolean, row: SettingRow | undefined): EndpointSwitch {
  return { value, shipped, ...originOf(row) };
}

function presentThreshold(shipped: ShippedEndpoint, overlay: Overlay): EndpointThreshold | undefined {
  const { threshold: own, metric } = shipped;
  if (own === undefined) {
    return undefined;
  }
  const row = thresholdSet(shipped, overlay);
  const value = row?.value ?? own;
  const recommends = recommendation(row, own, metric?.unit);
  const isOutside = metric !== undefined && (value < metric.min || value > metric.max);
  return {
    value,
    shipped: own,
    ...originOf(row),
    ...(recommends && { recommends }),
    ...(isOutside && {
      outOfRange: `${withUnit(value, metric.unit)} is not between ${withUnit(metric.min, undefined)} and ${withUnit(metric.max, metric.unit)}; it applies until it is changed.`,
    }),
  };
}

function recommendation(
  row: SettingRow | undefined,
  own: number,
  unit: string | undefined
): EndpointThreshold['recommends'] {
  if (row === undefined || row.shipped === null || row.shipped === own || row.value === own) {
    return undefined;
  }
  const detail = `The package now recommends ${withUnit(own, unit)}; you keep ${withUnit(row.value, unit)}.`;
  return { from: row.shipped, to: own, detail };
}

/** @returns undefined for an endpoint without a condition */
function whyNoThreshold({ condition, metric }: ShippedEndpoint): string | undefined {
  if (condition?.readOnly !== undefined) {
    return condition.readOnly;
  }
  return condition && !metric ? 'The package defines no range (metric), so there is no slider.' : undefined;
}

/** Settings of endpoints that the package no longer defines, and thresholds with another subject. */
export function leftoversOf(endpoints: readonly ShippedEndpoint[], overlay: Overlay): Leftover[] {
  const byId = new Map(endpoints.map((one) => [one.correlationId, one]));
  const leftovers = new Map<string, Leftover>();
  for (const row of overlay.rows()) {
    const shipped = byId.get(row.correlation_id);
    const detail = row.correlation_id === '' ? undefined : whyLeftOver(shipped, row);
    if (detail !== undefined) {
      leftovers.set(row.correlation_id, {
        ...leftovers.get(row.correlation_id),
        correlationId: row.correlation_id,
        ...(row.member === 'enabled' ? { enabled: row.value !== 0 } : { threshold: row.value }),
        ...(row.file !== '' && { file: row.file }),
        detail,
      });
    }
  }
  return [...leftovers.values()];
}

function whyLeftOver(shipped: ShippedEndpoint | undefined, row: SettingRow): string | undefined {
  if (shipped === undefined) {
    return 'This version of the package does not define the endpoint. The setting is stored and applies once it does.';
  }
  if (row.member === 'enabled') {
    return undefined;
  }
  const kept = `${withUnit(row.value, shipped.metric?.unit)} is stored and applies once it does.`;
  if (shipped.threshold === undefined) {
    return `In this version of the package the threshold is not configurable. ${kept}`;
  }
  return fits(shipped, row)
    ? undefined
    : `The threshold was set for ${quantityOf(row)}; the first condition is now ${shipped.condition?.text ?? ''}. ${kept}`;
}

const quantityOf = ({ subject }: SettingRow): string => subject?.split('\n')[0] ?? 'another condition';

/**
 * @param versionOf the registered version of a package; undefined if it is not registered
 * @returns why the endpoint is not active, a sentence per missing requirement; undefined if it is
 */
function unmet(
  requirements: EndpointRequirements | undefined,
  versionOf: (dnpName: string) => string | undefined
): string | undefined {
  if (requirements === undefined) {
    return undefined;
  }
  const missing = Object.entries(requirements.pkgsInstalled).flatMap(([name, range]) => {
    const version = versionOf(name);
    if (version === undefined) {
      return [`It requires ${name} ${range}, which is not registered.`];
    }
    return semver.satisfies(version, range, { includePrerelease: true })
      ? []
      : [`It requires ${name} ${range}; ${version} is registered.`];
  });
  const present = requirements.pkgsNotInstalled.flatMap((name) =>
    versionOf(name) === undefined ? [] : [`It requires that ${name} is not registered, and it is.`]
  );
  const sentences = [...missing, ...present];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}
