/** What a package reads of itself: its manifest, with its notifications inside, as the real system answers. Pure. */
import type { PackageTexts } from '../../contract/judgePackage.ts';
import { plainValue, readYaml } from '../../contract/yaml/tree.ts';

/**
 * @param texts as they were registered; YAML is read the way JSON is
 * @returns the manifest with `notifications.endpoints` and `notifications.customEndpoints` as the package ships them
 */
export function ownManifest({ manifest, notifications }: PackageTexts): Record<string, unknown> {
  const { root } = readYaml(notifications ?? '');
  const shipped = membersOf(root && plainValue(root));
  return {
    ...membersOf(JSON.parse(manifest.replace(/^\ufeff/, ''))),
    notifications: { endpoints: listOf(shipped['endpoints']), customEndpoints: listOf(shipped['customEndpoints']) },
  };
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
