import { expect, test } from 'vitest';
import { pluginVersion, releaseOf } from './pluginVersion.mjs';

const file = (name, text) => ({ name, data: Buffer.from(text) });
const FILES = [file('module.js', 'a'), file('panels/inbox/module.js', 'b'), file('locales/de-DE/x.json', '{}')];

test('the version holds the build: other files give another one, in any order', () => {
  const version = pluginVersion('0.1.0', FILES);
  expect(version).toMatch(/^0\.1\.0\+[0-9a-f]{8}$/);
  expect(pluginVersion('0.1.0', [...FILES].reverse())).toBe(version);
  for (const [at, { name }] of FILES.entries()) {
    expect(pluginVersion('0.1.0', FILES.with(at, file(name, 'changed')))).not.toBe(version);
  }
  expect(pluginVersion('0.1.0', [...FILES, file('1.js', '')])).not.toBe(version);
  expect(releaseOf(version)).toBe('0.1.0');
});

test('the same build on another day has the same version', () => {
  const dated = [file('plugin.json', '{"updated":"2026-01-01"}'), file('module.js.map', ''), file('README.md', '')];
  expect(pluginVersion('0.1.0', [...FILES, ...dated])).toBe(pluginVersion('0.1.0', FILES));
});
