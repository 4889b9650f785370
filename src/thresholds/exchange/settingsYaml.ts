/** Serializes settings as YAML. */
import type { SettingsDocument } from '@nodebell/contract/settings.ts';

/**
 * One line per value, so that exports can be compared. Names are JSON strings, which are valid YAML whatever they contain
 * (YAML 1.2, 1.3).
 */
export function settingsYaml(document: SettingsDocument): string {
  const { apiVersion, ...rest } = document;
  return `apiVersion: ${apiVersion}\n${block(rest, '')}`;
}

function block(members: object, indent: string): string {
  return Object.entries(members)
    .map(([name, value]: [string, unknown]) => {
      const key = indent === '' ? name : `${indent}${JSON.stringify(name)}`;
      if (typeof value !== 'object' || value === null) {
        return `${key}: ${JSON.stringify(value)}\n`;
      }
      return Object.keys(value).length === 0 ? `${key}: {}\n` : `${key}:\n${block(value, `${indent}  `)}`;
    })
    .join('');
}
