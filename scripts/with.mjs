/**
 * `node scripts/with.mjs COMMAND …` runs a command of a package, or `node`, in any clone: installs the packages first if that is
 * needed, and uses the Node version of the project. How the scripts of package.json run whatever is no script of this folder.
 */
import path from 'node:path';
import { main, Problem, ROOT, run } from './run.mjs';
import { setup } from './setup.mjs';

await main(async () => {
  const [command, ...args] = process.argv.slice(2);
  if (command === undefined) {
    throw new Problem('Usage: node scripts/with.mjs COMMAND …');
  }
  const node = await setup();
  const windows = process.platform === 'win32';
  const [name = 'PATH'] = Object.keys(process.env).filter((one) => one.toUpperCase() === 'PATH');
  const found = [path.dirname(node), path.join(ROOT, 'node_modules', '.bin'), process.env[name] ?? ''];
  const options = { env: { ...process.env, [name]: found.join(path.delimiter) } };
  // A command of a package is a .cmd file there, which only a shell runs.
  process.exitCode = await (command === 'node'
    ? run(node, args, options)
    : run(command, args, { ...options, shell: windows }));
});
