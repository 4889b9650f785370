import { expect, it } from 'vitest';
import pluginJson from '../plugin.json' with { type: 'json' };
import { paletteLinks } from './palette';

it('registers exactly what plugin.json declares, which Grafana compares', () => {
  expect(paletteLinks.map(({ title, description, targets }) => ({ title, description, targets }))).toEqual(
    pluginJson.extensions.addedLinks
  );
});

it('leads to a page or opens something, never both', () => {
  for (const { path, onClick } of paletteLinks) {
    expect(path === undefined).toBe(onClick !== undefined);
    expect(path ?? `/a/${pluginJson.id}/`).toMatch(`/a/${pluginJson.id}/`);
  }
});
