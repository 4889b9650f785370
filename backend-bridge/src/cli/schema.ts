/** `nodebell schema`: prints JSON Schemas, for editors and other programs. */
import { nearest } from '../validation/source/messages.ts';
import type { Cli } from './shared/command.ts';
import { printable, usageError } from './shared/io.ts';

export function addSchema({ program, io }: Cli): void {
  program
    .command('schema')
    .description('Print a JSON Schema, or list the names of all schemas.')
    .argument('[name]', 'such as manifest or notifications-file')
    .action(async (name?: string) => {
      const { publishedSchema, SCHEMA_NAMES } = await import('../platform/http/openapi.ts');
      if (name === undefined) {
        io.out(`${SCHEMA_NAMES.join('\n')}\n`);
        return;
      }
      const schema = publishedSchema(name);
      if (!schema) {
        const meant = nearest(name, SCHEMA_NAMES);
        const advice = meant === undefined ? 'Run "nodebell schema" for a list.' : `Did you mean ${meant}?`;
        throw usageError(`unknown schema ${JSON.stringify(printable(name))}. ${advice}`);
      }
      io.out(`${JSON.stringify(schema, null, 2)}\n`);
    });
}
