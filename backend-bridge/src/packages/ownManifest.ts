/** What a package reads of itself: its manifest, with its notifications inside, as the real system answers. Pure. */
import type { PackageTexts } from '../validation/validatePackage.ts';
import { plainValue, readYaml } from '../validation/yaml/tree.ts';
import type { WatchedEndpoint } from '../thresholds/types.ts';

type Members = Record<string, unknown>;

/**
 * @param texts as they were registered; YAML is read the way JSON is
 * @param watched its endpoints with what is set: these values take the place of what the package ships
 * @returns the manifest with `notifications.endpoints` and `notifications.customEndpoints`; each in the shape that the package
 *   gave it, a threshold of its own spelt `metric.treshold`, as packages read it
 */
export function ownManifest({ manifest, notifications }: PackageTexts, watched: readonly WatchedEndpoint[]): Members {
  const { root } = readYaml(notifications ?? '');
  const shipped = membersOf(root && plainValue(root));
  const byId = new Map(watched.map((one) => [one.shipped.correlationId, one]));
  const withSettings = (list: unknown, set: (endpoint: Members, one: WatchedEndpoint) => Members): unknown[] =>
    listOf(list).map((endpoint) => {
      const members = membersOf(endpoint);
      const one = byId.get(String(members['correlationId'] ?? members['correlation-id']));
      return one === undefined ? endpoint : { ...set(members, one), enabled: one.on };
    });
  return {
    ...membersOf(JSON.parse(manifest.replace(/^\ufeff/, ''))),
    notifications: {
      endpoints: withSettings(shipped['endpoints'], setCondition),
      customEndpoints: withSettings(shipped['customEndpoints'], setMetric),
    },
  };
}

function setCondition(endpoint: Members, { condition }: WatchedEndpoint): Members {
  const [, ...others] = listOf(endpoint['conditions']);
  return condition === undefined ? endpoint : { ...endpoint, conditions: [condition.text, ...others] };
}

function setMetric(endpoint: Members, { threshold }: WatchedEndpoint): Members {
  const metric = membersOf(endpoint['metric']);
  if (threshold === undefined || endpoint['metric'] === undefined) {
    return endpoint;
  }
  const spelt = 'threshold' in metric ? { threshold } : {};
  return { ...endpoint, metric: { ...metric, ...spelt, treshold: threshold } };
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
