/** Whether an endpoint is active, by which packages are registered. Pure. */
import semver from 'semver';
import type { EndpointRequirements } from '../validation/notifications/validateNotifications.ts';

/**
 * @param versionOf the registered version of a package; undefined when it is not registered
 * @returns why the endpoint is not active, a sentence for each requirement that is not met; undefined when it is
 */
export function unmet(
  requirements: EndpointRequirements | undefined,
  versionOf: (dnpName: string) => string | undefined
): string | undefined {
  if (requirements === undefined) {
    return undefined;
  }
  const missing = Object.entries(requirements.pkgsInstalled).flatMap(([name, range]) => {
    const version = versionOf(name);
    if (version === undefined) {
      return [`It needs ${name} ${range}, which is not registered.`];
    }
    return semver.satisfies(version, range, { includePrerelease: true })
      ? []
      : [`It needs ${name} ${range}; ${version} is registered.`];
  });
  const present = requirements.pkgsNotInstalled.flatMap((name) =>
    versionOf(name) === undefined ? [] : [`It is not for a node with ${name}, which is registered.`]
  );
  const sentences = [...missing, ...present];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}
