import { describe, expect, test } from 'vitest';
import { validateCompose } from './validateCompose.ts';

const WEB = { name: 'web.dnp.dappnode.eth', type: 'service' };
const CORE = { name: 'core.dnp.dappnode.eth', type: 'dncore' };
const found = (text: string, identity?: typeof WEB, dialect: 'dappnode' | 'any' | 'spec' = 'dappnode') =>
  validateCompose(text, dialect, identity).findings.map(
    ({ verdict, rule, pointer, line, column }) => `${verdict} ${rule} ${pointer} ${line}:${column}`
  );
const inService = (member: string, more = '') => `version: "3.5"\nservices:\n  web:\n    ${member}\n${more}`;

describe('DAppNode rejects', () => {
  test.each([
    ['a file without version', 'services: {a: {}}', 'compose-version  1:1'],
    ['an old version', 'version: "3.3"\nservices: {a: {}}', 'compose-version /version 1:1'],
    ['3.10 without quotes, which is 3.1', 'version: 3.10\nservices: {a: {}}', 'compose-version /version 1:1'],
    ['a network', inService('image: a', 'networks:\n  my_net: {}'), 'compose-network /networks/my_net 6:3'],
    [
      'an internal network',
      inService('image: a', 'networks: {dncore_network: {external: false}}'),
      'compose-network /networks/dncore_network/external 5:29',
    ],
    ['a network of a service', inService('networks: [my_net]'), 'compose-network /services/web/networks/0 4:16'],
    [
      'a network without a value',
      inService('networks: {dncore_network: }'),
      'compose-network /services/web/networks/dncore_network 4:16',
    ],
    ['a key', inService('env_file: a'), 'compose-key /services/web/env_file 4:5'],
    ['a DNS server', inService('dns: 8.8.8.8'), 'compose-dns /services/web/dns 4:5'],
    ['pid: host', inService('pid: host'), 'compose-pid /services/web/pid 4:5'],
    ['a privileged container', inService('privileged: true'), 'compose-privileged /services/web/privileged 4:5'],
    ['the host’s network', inService('network_mode: host'), 'compose-privileged /services/web/network_mode 4:5'],
    [
      'a reserved alias',
      inService('networks: {dncore_network: {aliases: [ipfs.dappnode]}}'),
      'compose-alias /services/web/networks/dncore_network/aliases 4:33',
    ],
    ['a bind mount', inService('volumes: ["./a:/a"]'), 'compose-volume /services/web/volumes/0 4:15'],
    ['an anonymous volume', inService('volumes: [/a]'), 'compose-volume /services/web/volumes/0 4:15'],
    ['a volume that is not defined', inService('volumes: ["a:/a"]'), 'compose-volume /services/web/volumes/0 4:15'],
    [
      'a volume defined without a value',
      inService('volumes: ["a:/a"]', 'volumes:\n  a:'),
      'compose-volume /services/web/volumes/0 4:15',
    ],
    [
      'a volume with settings',
      inService('volumes: ["a:/a"]', 'volumes: {a: {external: true}}'),
      'compose-volume /services/web/volumes/0 4:15',
    ],
    ['a service that is a text', 'version: "3.5"\nservices: {a: x}', 'service-shape /services/a 2:15'],
    ['a duplicate key', inService('image: a\n    image: b'), 'yaml-duplicate  5:5'],
  ])('%s', (_, text, expected) => {
    expect(found(text, WEB)).toEqual([`error ${expected}`]);
    expect(found(text, WEB, 'any')).toEqual([`warning ${expected}`]);
    expect(validateCompose(text, 'any', WEB).findings[0]?.title).toMatch(/^DAppNode rejects this: /);
    expect(found(text, WEB, 'spec').filter((one) => one.includes('compose-') || one.startsWith('error'))).toEqual([]);
  });
});

describe('DAppNode accepts', () => {
  const restricted = inService(
    'dns: 8.8.8.8\n    privileged: true\n    network_mode: host\n    volumes: ["/a:/a"]\n' +
      '    networks: {dncore_network: {aliases: [ipfs.dappnode]}}'
  );
  test('what is restricted, in core packages', () => {
    expect(found(restricted, CORE)).toEqual([]);
    expect(found(restricted, WEB).length).toBe(5);
  });
  test('a privileged exporter', () => {
    const identity = { name: 'dappnode-exporter.dnp.dappnode.eth', type: 'service' };
    expect(found(inService('privileged: true'), identity)).toEqual([]);
  });
  test('what some packages may do, if the package is unknown', () => {
    expect(found(restricted)).toEqual([]);
    expect(found(inService('pid: host'))).toEqual(['error compose-pid /services/web/pid 4:5']);
  });
  test('volumes, networks and aliases of the package', () => {
    const networks = 'networks: {dncore_network: {aliases: [web.dappnode]}}';
    const more = 'volumes: {a: {}}\nnetworks: {dnprivate_network: {external: true}}';
    expect(found(inService(`volumes: ["a:/a:ro"]\n    dns: 172.33.1.2\n    ${networks}`, more), WEB)).toEqual([]);
  });
});
