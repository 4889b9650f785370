/** Part of `build.ts`: makes the schemas of the bundle when they are first used. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type PluginBuild, transform } from 'esbuild';

/** A constant at the top level, as Prettier writes it. */
const CONSTANT = /^(export )?const (\w+)(?:: [^=\n]+)? = ([\s\S]*?);\n(?=\S|\n|$)/gm;
const IMPORT = /^import \{([^}]*)\} from '(\.[^']*)';$/gm;

const contract = path.join(import.meta.dirname, 'contract/');
/** Its functions make schemas. */
const makers = path.join(contract, 'schema.ts');
const lazyNames = new Map<string, ReadonlySet<string>>();

/**
 * Constants of a module that are made when they are first used: schemas, and what the contract, whose code has no effects, makes of
 * them. `imported`: names of such ones in other modules.
 */
function lazyConstants(file: string): { own: ReadonlySet<string>; imported: ReadonlySet<string> } {
  const source = readFileSync(file, 'utf8');
  const imported = new Set<string>();
  const make = new Set(['z']);
  for (const [, list, from] of source.matchAll(IMPORT)) {
    const target = path.resolve(path.dirname(file), from!);
    const there = lazyIn(target);
    for (const name of list!.split(/\W+/)) {
      (target === makers ? make : there.has(name) ? imported : undefined)?.add(name);
    }
  }
  const own = new Set<string>();
  for (const [, , name, code] of source.matchAll(CONSTANT)) {
    const isSchema = /^(z|\w+Schema)\b[\s.(]/.test(code!);
    const usesOne = code!.split(/\W+/).some((word) => make.has(word) || own.has(word) || imported.has(word));
    if (isSchema || (file.startsWith(contract) && !/^[(<]/.test(code!) && usesOne)) {
      own.add(name!);
    }
  }
  return { own, imported };
}

function lazyIn(file: string): ReadonlySet<string> {
  const names = lazyNames.get(file) ?? lazyConstants(file).own;
  lazyNames.set(file, names);
  return names;
}

/**
 * Makes schemas when they are first used, since a process uses few of them: `aSchema` becomes `aSchema$.it`. Leaves out unused ones, and
 * what is not used of Zod, whose namespace object holds all its functions and languages.
 */
export function lazySchemas(builder: PluginBuild): void {
  builder.onLoad({ filter: /\.ts$/, namespace: 'file' }, async ({ path: file }) => {
    const { own, imported } = lazyConstants(file);
    const names = [...own, ...imported];
    const source = readFileSync(file, 'utf8')
      .replace(/^import \{ z \} from 'zod';$/m, "import * as z from 'zod';")
      .replaceAll(IMPORT, (all) =>
        all.replaceAll(/\w+(?=[^}]*\})/g, (name) => (imported.has(name) ? `${name}$` : name))
      )
      .replaceAll(CONSTANT, (all, exported: string | undefined, name: string, code: string) =>
        own.has(name) ? `${exported ?? ''}const ${name}$ = /* @__PURE__ */ lazySchema(() => (${code}));\n` : all
      );
    if (names.length === 0) {
      return { loader: 'ts', contents: source };
    }
    // esbuild replaces names that nothing declares.
    const { code } = await transform(source, {
      loader: 'ts',
      define: Object.fromEntries(names.map((name) => [name, `${name}$.it`])),
      sourcemap: 'inline',
      sourcesContent: false,
      sourcefile: path.basename(file),
    });
    return { loader: 'js', contents: code };
  });
}
