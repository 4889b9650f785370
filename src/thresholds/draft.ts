/** Settings of a package that is about to be registered. */
import type { Endpoint, EndpointPatch, PackageSettings } from '@nodebell/contract/endpoint.ts';

type EndpointSettings = NonNullable<PackageSettings['endpoints']>[string];

/** An endpoint with these settings applied. */
export function withDraft(endpoint: Endpoint, settings: PackageSettings): Endpoint {
  const { enabled, threshold } = settings.endpoints?.[endpoint.correlationId] ?? {};
  const on = enabled ?? endpoint.enabled.value;
  const packageOff = settings.enabled === undefined ? endpoint.mutedBy.includes('package') : !settings.enabled;
  const set = { origin: 'user' } as const;
  return {
    ...endpoint,
    enabled: enabled === undefined ? endpoint.enabled : { ...endpoint.enabled, ...set, value: on },
    ...(endpoint.threshold !== undefined &&
      threshold !== undefined && { threshold: { ...endpoint.threshold, ...set, value: threshold } }),
    mutedBy: [
      ...(on ? [] : (['endpoint'] as const)),
      ...(packageOff ? (['package'] as const) : []),
      ...endpoint.mutedBy.filter((by) => by === 'category'),
    ],
  };
}

/**
 * The settings after one more change. A change back to the current value is dropped. Resetting a value that is already configured,
 * and would survive the update, sets it to the package's default.
 */
export function addToDraft(settings: PackageSettings, endpoint: Endpoint, patch: EndpointPatch): PackageSettings {
  const { correlationId } = endpoint;
  const before = settings.endpoints?.[correlationId] ?? {};
  const enabled = next(patch.enabled, before.enabled, endpoint.enabled);
  const threshold = next(patch.threshold, before.threshold, endpoint.threshold);
  const one: EndpointSettings = {
    ...(enabled !== undefined && { enabled }),
    ...(threshold !== undefined && { threshold }),
  };
  const { [correlationId]: _, ...others } = settings.endpoints ?? {};
  return withEndpoints(settings, Object.keys(one).length > 0 ? { ...others, [correlationId]: one } : others);
}

function next<T>(
  patch: T | null | undefined,
  before: T | undefined,
  now: { value: T; shipped: T; origin: string } | undefined
): T | undefined {
  const wanted = patch === undefined ? before : (patch ?? now?.shipped);
  return wanted === now?.value ? undefined : wanted;
}

/** Drops settings that no longer fit after the package's files have changed. */
export function pruneDraft(settings: PackageSettings, endpoints: readonly Endpoint[]): PackageSettings {
  const fitting = Object.entries(settings.endpoints ?? {}).flatMap(([id, { enabled, threshold }]) => {
    const now = endpoints.find(({ correlationId }) => correlationId === id);
    const { min, max } = (now?.threshold && now.metric) ?? { min: 1, max: 0 };
    const kept: EndpointSettings = {
      ...(enabled !== undefined && { enabled }),
      ...(threshold !== undefined && threshold >= min && threshold <= max && { threshold }),
    };
    return now && Object.keys(kept).length > 0 ? [[id, kept] as const] : [];
  });
  return withEndpoints(settings, Object.fromEntries(fitting));
}

function withEndpoints(settings: PackageSettings, endpoints: Record<string, EndpointSettings>): PackageSettings {
  return {
    ...(settings.enabled !== undefined && { enabled: settings.enabled }),
    ...(Object.keys(endpoints).length > 0 && { endpoints }),
  };
}
