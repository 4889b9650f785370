/** Third-party contents of a package: a CycloneDX SBOM and the texts of the licences, from the lock file and the installed packages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { placeOf, reach } from './bridgeLock.mjs';
import { Problem, ROOT } from './run.mjs';

/** Licences (SPDX) whose code may be part of a work under Apache-2.0. */
const ALLOWED = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC MIT MIT-0 OFL-1.1 Python-2.0 Unlicense Zlib'.split(
    ' '
  )
);

/** Whether an SPDX expression of `AND`, `OR` and one level of parentheses allows it. */
export function isAllowed(license = '') {
  return license
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((all) => all.split(' AND ').every((id) => ALLOWED.has(id.replace(/[()]/g, ''))));
}

const nameAt = (place) => place.split('node_modules/').at(-1);

/**
 * @param packages of a lock file, by place
 * @param places those that are part of it
 * @returns {place, name, version, license, integrity}, sorted, each version once
 * @throws Problem for a licence that is not allowed
 */
export function componentsOf(packages, places) {
  const found = new Map();
  for (const place of [...places].sort()) {
    const { version, license, integrity } = packages[place] ?? {};
    const name = nameAt(place);
    if (version === undefined || !isAllowed(license)) {
      throw new Problem(`${name}: found the licence ${license ?? 'none'}, allowed are ${[...ALLOWED].join(', ')}.`);
    }
    found.set(`${name}@${version}`, { place, name, version, license, integrity });
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, component]) => component);
}

/** Places of what the bridge consists of: what the build has put into it, and what is installed beside it. @param lock its own lock file */
export const bridgePlaces = ({ packages }, installed, dist) =>
  new Set([...bundledPlaces(dist), ...reach(packages, '', installed, new Set())]);

/** Places of the packages that the build has put into a folder: its source maps name every module. */
export function bundledPlaces(dist) {
  const places = new Set();
  for (const name of readdirSync(dist, { recursive: true }).filter((file) => file.endsWith('.map'))) {
    for (const source of JSON.parse(readFileSync(path.join(dist, name), 'utf8')).sources) {
      const [place] = /(?<=\/)(?:[\w-]+\/)?(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+/.exec(source) ?? [];
      const installed = place?.slice(place.indexOf('node_modules/'), -1);
      if (installed) {
        places.add(installed);
      }
    }
  }
  return places;
}

const purlOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** CycloneDX 1.5 as JSON, without times and random numbers: equal for equal packages. */
export function sbomOf({ name, version }, components, packages) {
  const ref = purlOf(name, version);
  const refs = new Set(components.map((one) => purlOf(one.name, one.version)));
  const described = components.map((one) => ({
    type: 'library',
    'bom-ref': purlOf(one.name, one.version),
    name: one.name,
    version: one.version,
    ...(one.integrity && {
      hashes: [
        { alg: 'SHA-512', content: Buffer.from(one.integrity.replace(/^sha512-/, ''), 'base64').toString('hex') },
      ],
    }),
    licenses: [/ (AND|OR) /.test(one.license) ? { expression: one.license } : { license: { id: one.license } }],
    purl: purlOf(one.name, one.version),
  }));
  const dependsOn = (place) =>
    Object.keys({ ...packages[place].dependencies, ...packages[place].optionalDependencies })
      .map((needed) => placeOf(packages, place, needed))
      .map((needed) => needed && purlOf(nameAt(needed), packages[needed].version))
      .filter((one) => refs.has(one))
      .sort();
  const sbom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': ref,
        name,
        version,
        licenses: [{ license: { id: 'Apache-2.0' } }],
        purl: ref,
      },
    },
    components: described,
    dependencies: components.map((one) => ({ ref: purlOf(one.name, one.version), dependsOn: dependsOn(one.place) })),
  };
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

/** The licence of each component, with its texts where the package has any. */
export function licencesOf(components) {
  return components
    .map(({ place, name, version, license }) => {
      const texts = licenceTexts(place);
      const body = texts.length > 0 ? texts.join('\n\n') : '(The package contains no text of its licence.)';
      return `${'='.repeat(80)}\n${name} ${version}\n${license}\n${'='.repeat(80)}\n\n${body}\n`;
    })
    .join('\n');
}

/** Licences of a package installed for the workspace or the bridge alone; none for one of another platform. */
function licenceTexts(place) {
  const folder = [place, `backend-bridge/${place}`].map((one) => path.join(ROOT, one)).find((one) => existsSync(one));
  const names = folder ? readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name)) : [];
  return names.sort().map((name) => readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
}
