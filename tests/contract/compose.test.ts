/**
 * docker-compose.dev.yml, as far as it can be validated without a Docker engine: mounted files exist, versions are pinned, the
 * bridge's environment is valid. Whether the images start is not tested.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../backend-bridge/src/config.ts';
import { loadFolder } from '../../backend-bridge/src/provisioning/loadFolder.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const read = (...parts: string[]): string => readFileSync(path.join(ROOT, ...parts), 'utf8');

interface Service {
  image?: string;
  build?: string | { context: string; dockerfile: string; args: Record<string, string> };
  user?: string;
  cap_drop?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  configs?: { source: string; target: string }[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
}

const compose = parse(read('docker-compose.dev.yml'), { merge: true }) as {
  services: Record<string, Service>;
  configs: Record<string, { content: string }>;
  volumes: Record<string, object>;
};
const dockerfile = read('backend-bridge', 'Dockerfile');
/** The Dockerfile of a build, which must be in the repository. */
const dockerfileOf = (build: NonNullable<Service['build']>): string =>
  typeof build === 'string' ? read(build, 'Dockerfile') : read(build.context, build.dockerfile);
const services = Object.entries(compose.services);
/** Interpolates like Compose: defaults of variables, and `$$` for a dollar sign. */
const valueOf = (text: string): string => text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1').replaceAll('$$', '$');
const folder = mkdtempSync(path.join(tmpdir(), 'nodebell-compose-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(services)('%s', (name, service) => {
  test('has a pinned version', () => {
    const versions = service.build
      ? [...dockerfileOf(service.build).matchAll(/^ARG \w+_VERSION=(.*)$/gm)].map(([, version]) => `:${version}`)
      : [valueOf(service.image!)];
    expect(versions).not.toEqual([]);
    versions.forEach((image) => expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?(-[\w-]+)?$/));
  });

  test('drops all capabilities, and listens on loopback only', () => {
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.user ?? '10001').not.toMatch(/^(0|root)\b/);
    (service.ports ?? []).forEach((port) => expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/));
  });

  test('has a health check, and waits for its dependencies', () => {
    const reportsHealth = (one: Service): boolean => one.healthcheck !== undefined || one.build !== undefined;
    // Gatus' image contains no HTTP client.
    expect(reportsHealth(service)).toBe(name !== 'gatus');
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect([condition, reportsHealth(compose.services[other]!)]).toEqual(['service_healthy', true]);
    }
  });

  test('mounts existing files', () => {
    for (const mount of service.volumes ?? []) {
      const [source] = mount.split(':') as [string];
      const isThere = /^[./]/.test(source)
        ? existsSync(path.join(ROOT, source))
        : Object.hasOwn(compose.volumes, source);
      expect([mount, isThere]).toEqual([mount, true]);
    }
    (service.configs ?? []).forEach(({ source }) => expect(Object.keys(compose.configs)).toContain(source));
  });
});

test('the file that Compose finds by itself includes this one', () => {
  expect(parse(read('docker-compose.yaml'))).toEqual({ include: ['docker-compose.dev.yml'] });
});

test("Grafana's image has the tested version, and everything that the build of the plugin reads", () => {
  const { args, dockerfile: file } = compose.services['grafana']!.build as { args: object; dockerfile: string };
  const [, version] = /^ARG GRAFANA_VERSION=(.*)$/m.exec(read(file))!;
  expect(args).toMatchObject({ GRAFANA_VERSION: `\${GRAFANA_VERSION:-${version}}` });
  expect(readdirSync(path.join(ROOT, 'tests', 'hosts'))).toContain(version);
  const ignored = read('.dockerignore')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  const [, inputs = ''] = /name: 'plugin',[\s\S]*?inputs: \[([^\]]*)\]/.exec(read('scripts', 'build.mjs'))!;
  const names = [...inputs.matchAll(/'([^']+)'/g)].map(([, name]) => name!);
  expect(names).toContain('webpack.config.ts');
  expect(names.filter((name) => ignored.some((one) => name === one || name.startsWith(`${one}/`)))).toEqual([]);
});

test("the bridge's environment is valid, and matches the ports and paths of its image", () => {
  const ofImage = [...dockerfile.matchAll(/^(?:ENV| ) (NODEBELL_\w+)=(\S+)/gm)].map(([, key, value]) => [key!, value!]);
  const own = Object.entries(compose.services['bridge']!.environment!).map(([key, value]) => [key, valueOf(value)]);
  const config = readConfig(Object.fromEntries([...ofImage, ...own]) as Record<string, string>);
  expect(config).toMatchObject({ host: '0.0.0.0', port: 8080, dataDir: '/data', auth: 'sender-open' });
  expect(dockerfile).toMatch(/^USER 10001:10001$/m);
  expect(dockerfile).toMatch(/^HEALTHCHECK /m);
  expect(dockerfile).toMatch(/^EXPOSE 8080$/m);
});

test("the bridge's provisioning folder is valid, and contains a node of each chain", async () => {
  const dir = path.join(folder, 'nodebell');
  const { configs = [], volumes = [] } = compose.services['bridge']!;
  const place = (target: string): string => path.join(dir, path.relative('/etc/nodebell', target));
  for (const mount of volumes.filter((one) => one.includes(':/etc/nodebell'))) {
    const [source, target] = mount.split(':') as [string, string];
    cpSync(path.join(ROOT, source), place(target), { recursive: true });
  }
  for (const { source, target } of configs) {
    mkdirSync(path.dirname(place(target)), { recursive: true });
    writeFileSync(place(target), valueOf(compose.configs[source]!.content));
  }
  const { files, packages } = await loadFolder(dir, {});
  expect(files.flatMap(({ findings }) => findings)).toEqual([]);
  const chains = packages.filter(({ validated }) => validated.facts?.summary.chain).map(({ wanted }) => wanted.name);
  const nodes = files.flatMap(({ wanted }) => wanted?.chains ?? []).map(({ dnpName }) => dnpName);
  expect(nodes.sort()).toEqual(chains.sort());
  for (const { url } of files.flatMap(({ wanted }) => wanted?.chains ?? [])) {
    expect(Object.keys(compose.services)).toContain(new URL(url).hostname);
  }
});

test('Grafana has all variables of its provisioning files, and may load every panel', () => {
  const { environment } = compose.services['grafana']!;
  const files = ['plugins/nodebell.yaml', 'datasources/prometheus.yaml', 'alerting/contact-point.yaml'];
  const variables = files.flatMap(
    (file) =>
      read('provisioning', file)
        .replaceAll(/^\s*#.*$/gm, '')
        .match(/\$\w+/g) ?? []
  );
  expect(Object.keys(environment!)).toEqual(expect.arrayContaining(variables.map((name) => name.slice(1))));
  const allowed = environment!['GF_PLUGINS_ALLOW_LOADING_UNSIGNED_PLUGINS']!.split(',');
  const panels = readdirSync(path.join(ROOT, 'src', 'panels')).map(
    (name) => (JSON.parse(read('src', 'panels', name, 'plugin.json')) as { id: string }).id
  );
  expect(allowed).toEqual(expect.arrayContaining(['nodebell-notifications-app', ...panels]));
  const secrets = ['NODEBELL_ADMIN_TOKEN', 'NODEBELL_WEBHOOK_SECRET'];
  secrets.forEach((name) => expect(environment![name]).toBe(compose.services['bridge']!.environment![name]));
});
