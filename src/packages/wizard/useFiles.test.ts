import { expect, it } from 'vitest';
import { fileKind } from './useFiles';

it.each([
  ['dappnode_package.json', '{}', 'manifest'],
  ['dappnode_package-mainnet.json', '{}', 'manifest'],
  ['docker-compose.yml', '', 'compose'],
  ['docker-compose-mainnet.yaml', '', 'compose'],
  ['notifications.yaml', '', 'notifications'],
  ['mainnet-notifications.yml', '', 'notifications'],
  ['pasted.yaml', 'version: "3"\nservices:\n  a: {}', 'compose'],
  ['pasted.yaml', 'endpoints:\n  - name: x', 'notifications'],
  ['pasted', '{}', 'manifest'],
])('%s (%s) is the %s', (name, text, kind) => expect(fileKind(name, text)).toBe(kind));
