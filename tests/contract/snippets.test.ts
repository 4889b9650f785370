/** Snippets of the docs are valid: YAML, JSON, provisioning files, commands, requests. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { OPERATIONS } from '../../backend-bridge/contract/api.ts';
import { CHANNEL_TYPES } from '../../backend-bridge/contract/channelTypes/index.ts';
import { provisioningFileSchema } from '../../backend-bridge/contract/provisioningFile.ts';
import { readPayload } from '../../backend-bridge/contract/readPayload.ts';
import { run } from '../../backend-bridge/src/cli/cliWorld.testing.ts';
import { readConfig } from '../../backend-bridge/src/config.ts';
import { readProvisioningFile } from '../../backend-bridge/src/provisioning/readFile.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'src/README.md', 'backend-bridge/README.md'].concat(
  ['docs', 'docs/decisions'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`)
  )
);

/** Fenced blocks of a language, without their indentation. */
const blocksOf = (language: string, page: string): string[] =>
  [...read(page).matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'))].map(
    ([, indent, text]) => text!.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
  );
const allBlocks = (language: string): [string, string][] =>
  PAGES.flatMap((page) => blocksOf(language, page).map((text): [string, string] => [page, text]));

/** Problems of YAML, each with its page. */
const problemsOf = (page: string, text: string): string[] => {
  const { errors, warnings } = parseDocument(text);
  return [...errors, ...warnings].map(({ message }) => `${page}: ${message}`);
};

const MEMBERS = Object.keys(provisioningFileSchema.shape);
/** A snippet as the provisioning file that it is, or is part of; undefined: it is of another program. */
function provisioningFileOf(text: string): string | undefined {
  const value: unknown = parseDocument(text).toJS() ?? {};
  if (Array.isArray(value)) {
    const { type } = (value[0] ?? {}) as { type?: string };
    return (CHANNEL_TYPES as readonly (string | undefined)[]).includes(type)
      ? `apiVersion: 1\nchannels:\n${text}`
      : undefined;
  }
  const own = Object.keys(value as object).filter((name) => name !== 'apiVersion');
  if (!own.some((name) => MEMBERS.includes(name))) {
    return undefined;
  }
  return 'apiVersion' in (value as object) ? text : `apiVersion: 1\n${text}`;
}

test('YAML and JSON snippets can be parsed', () => {
  expect(allBlocks('yaml').flatMap(([page, text]) => problemsOf(page, text))).toEqual([]);
  for (const [page, text] of allBlocks('json')) {
    expect(() => void JSON.parse(text.startsWith('"') ? `{${text}}` : text), page).not.toThrow();
  }
});

test('snippets of TypeScript are code of the example app, which is type-checked', () => {
  const blocks = allBlocks('tsx');
  expect(blocks).toHaveLength(1);
  expect(read('tests/fixtures/exampleApp/module.tsx')).toContain(blocks[0]![1]);
});

describe('snippets of provisioning files', () => {
  const files = allBlocks('yaml').flatMap(([page, text]): [string, string][] => {
    const file = provisioningFileOf(text);
    return file === undefined ? [] : [[page, file]];
  });

  test.each(files)('%s: valid', (page, text) => {
    const variables = [...text.matchAll(/\$\{?(\w+)/g)].map(([, name]) => [name!, 'a-value-of-sixteen-characters']);
    expect(readProvisioningFile(page, text, Object.fromEntries(variables)).findings).toEqual([]);
  });

  test('show each member and each type of channel', () => {
    const values = files.map(([, text]) => parseDocument(text).toJS() as { channels?: { type: string }[] });
    expect([...new Set(values.flatMap(Object.keys))].sort()).toEqual(MEMBERS.sort());
    expect([...new Set(values.flatMap(({ channels = [] }) => channels.map(({ type }) => type)))].sort()).toEqual(
      [...CHANNEL_TYPES].sort()
    );
  });
});

/** Names of all members in a JSON Schema. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) {
    return [];
  }
  const { properties = {} } = schema as { properties?: Record<string, unknown> };
  return [...new Set([...Object.keys(properties), ...Object.values(schema).flatMap(namesIn)])];
}

test('each member of a provisioning file is on the page of its subject', () => {
  const pages: Record<string, string> = {
    channels: 'docs/channels.md',
    routes: 'docs/channels.md',
    schedules: 'docs/channels.md',
    people: 'docs/channels.md',
    heartbeats: 'docs/channels.md',
    maintenance: 'docs/channels.md',
    inhibit_rules: 'docs/channels.md',
    dependencies: 'docs/channels.md',
    mappings: 'docs/connect-senders.md',
    retention: 'docs/operate.md',
  };
  for (const [member, schema] of Object.entries(provisioningFileSchema.shape)) {
    const page = read(pages[member] ?? 'docs/configure.md');
    const names = [member, ...namesIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))];
    const missing = names.filter((name) => !new RegExp(`(\`|^|[\\s{])${name}(\`|:)`, 'm').test(page));
    expect(missing, member).toEqual([]);
  }
});

/** Commands of `nodebell` in blocks and in the text. */
const COMMANDS = PAGES.flatMap((page) => {
  const lines = blocksOf('sh', page).flatMap((text) => text.replaceAll(/\\\n\s*/g, '').split('\n'));
  const inText = [...read(page).matchAll(/`([^`\n]+)`/g)].map(([, text]) => text!);
  return [...lines, ...inText].flatMap((line): [string, string][] => {
    const command = /^(?:npx |docker exec nodebell )?nodebell (.+?)(?: [|>#] .*| #.*)?$/.exec(line)?.[1];
    return command === undefined ? [] : [[command, page]];
  });
});

test.each(COMMANDS)('nodebell %s (%s)', async (command) => {
  const words = command.split(' ');
  const names = words.slice(0, words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word)) >>> 0);
  const flags = words.filter((word) => word.startsWith('--'));
  const { code, out } = await run([...names, '--help']);
  expect([code, out.startsWith('Usage: nodebell')]).toEqual([0, true]);
  expect(names.slice(0, 1).every((name) => out.startsWith(`Usage: nodebell ${name} `))).toBe(true);
  expect(flags.filter((flag) => !new RegExp(`(^|\\s)${flag}\\b`, 'm').test(out))).toEqual([]);
  // A group of commands, named with one that it does not have.
  expect(names.length > 1 && out.includes('[options] [command]')).toBe(false);
});

const PATHS = OPERATIONS.map(
  ({ method, path: of }) => new RegExp(`^${method} ${of.replaceAll(/\{\w+\}/g, '[^/]+')}$`, 'i')
);
/** Pages leave `/api/v1` out where it is obvious. */
const isOperation = (text: string): boolean =>
  [text, text.replace(' /', ' /api/v1/')].some((one) => PATHS.some((known) => known.test(one)));

test.each([...new Set(PAGES.flatMap((page) => read(page).match(/postgres:\/\/[^\s`]+/g) ?? []))])(
  '%s is a setting',
  (url) => {
    const env = { NODEBELL_DATABASE_URL: url, NODEBELL_ADMIN_TOKEN: 'sixteen-letters-and-more' };
    expect(readConfig(env)).toMatchObject({ databaseUrl: url });
  }
);

test('operations exist', () => {
  /** Operations of Grafana, Prometheus and DAppNode's notifier, and groups of operations. */
  const others =
    /stand-in|dashboards\/db|alert-rules|ds\/query|v1\/rules$|subscriptions|vapid|endpoints\/reload|notifications\/test|…/;
  const named = PAGES.flatMap((page) =>
    [...read(page).matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE) \/[^\s`,;)?]*/g)].map(([text]) =>
      text.replace(/[.:]$/, '')
    )
  ).filter((text) => !others.test(text));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((text) => !isOperation(text))).toEqual([]);
});

test('requests with curl are operations, and their bodies are valid', () => {
  const requests = PAGES.flatMap((page) =>
    blocksOf('sh', page).flatMap((text) => text.replaceAll(/\\\n\s*/g, '').split(/^(?=curl )/m))
  ).filter((text) => text.startsWith('curl ') && text.includes('/api/v1/'));
  expect(requests.length).toBeGreaterThan(5);
  for (const request of requests) {
    const [, url] = /https?:\/\/[^/\s]+(\/api\/v1[^\s'"?]+)/.exec(request)!;
    const body = / -d '([\s\S]*?)'/.exec(request)?.[1];
    const method = / -X (\w+)/.exec(request)?.[1] ?? (/ (-d|--data-binary) /.test(request) ? 'POST' : 'GET');
    expect(isOperation(`${method} ${url!}`), request).toBe(true);
    const value: unknown = JSON.parse(body ?? '{}');
    if (url === '/api/v1/notifications') {
      expect(JSON.stringify(readPayload(value)), request).toMatch(/^{"ok":true,(?!.*"ignored")/);
    }
  }
});
