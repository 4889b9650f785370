/** What the variables of a package's compose file say of its RPC: as real packages name them, `…_RPCUSER` and its like. Pure. */
import { readYaml, type YamlNode } from '../validation/yaml/tree.ts';

export interface RpcEnvironment {
  username?: string;
  password?: string;
  port?: number;
}

/**
 * @param text the compose file
 * @returns what it says literally: a value that refers to another variable is not known here
 */
export function rpcEnvironment(text: string | undefined): RpcEnvironment {
  const variables = text === undefined ? [] : variablesOf(readYaml(text).root);
  const of = (part: string): string | undefined =>
    variables.find(([name, value]) => name.toUpperCase().includes(part) && value !== '' && !value.includes('$'))?.[1];
  const [username, password, port] = [of('_RPCUSER'), of('_RPCPASSWORD'), Number(of('_RPCPORT'))];
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(Number.isInteger(port) && port >= 1 && port <= 65_535 && { port }),
  };
}

function variablesOf(root: YamlNode | undefined): [name: string, value: string][] {
  return childrenOf(childOf(root, 'services')).flatMap((service) => {
    const environment = childOf(service, 'environment');
    if (environment?.kind === 'list') {
      return environment.items.flatMap((item): [string, string][] => {
        const [name, ...rest] = textOf(item)?.split('=') ?? [];
        return name === undefined || rest.length === 0 ? [] : [[name.trim(), rest.join('=').trim()]];
      });
    }
    return environment?.kind === 'map'
      ? [...environment.members].map(([name, { node }]): [string, string] => [name, textOf(node) ?? ''])
      : [];
  });
}

const childOf = (node: YamlNode | undefined, name: string): YamlNode | undefined =>
  node?.kind === 'map' ? node.members.get(name)?.node : undefined;
const childrenOf = (node: YamlNode | undefined): YamlNode[] =>
  node?.kind === 'map' ? [...node.members.values()].map((member) => member.node) : [];
const textOf = (node: YamlNode): string | undefined =>
  node.kind === 'scalar' && node.value !== null ? String(node.value) : undefined;
