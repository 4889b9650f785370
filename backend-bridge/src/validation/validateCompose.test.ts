import { describe, expect, test } from 'vitest';
import { validateCompose } from './validateCompose.ts';

describe('services', () => {
  test('are in file order, with the names of their variables in either form', () => {
    const text = `version: "3.5"
x-common: &common
  environment: { SHARED: 1 }
services:
  web:
    build:
      args: { NOT_ONE: 1 }
    environment:
      A: 1
      B:
  "01-db":
    environment:
      - C=1=2
      - D
  cache: { <<: *common }
  plain: { image: x }
`;
    expect(validateCompose(text, 'spec')).toEqual({
      findings: [],
      facts: {
        services: [
          { name: 'web', environment: ['A', 'B'] },
          { name: '01-db', environment: ['C', 'D'] },
          { name: 'cache', environment: ['SHARED'] },
          { name: 'plain', environment: [] },
        ],
      },
    });
  });

  test.each([
    ['broken', 'services:\n  a: [\n', 'error yaml-syntax 3:1'],
    ['empty', '', 'error file-shape 1:1'],
    ['a list', '- a', 'error file-shape 1:1'],
    ['without services', 'version: "3"\n', 'error services-missing 1:1'],
    ['with none', 'services: {}\n', 'error services-missing 1:11'],
    ['a service that is a text', 'services:\n  a: x\n', 'warning service-shape 2:6'],
    ['an environment that is a text', 'services:\n  a:\n    environment: x\n', 'warning service-shape 3:18'],
    ['a variable without a name', 'services:\n  a:\n    environment: ["=x"]\n', 'warning service-shape 3:19'],
  ])('%s', (_, text, expected) => {
    const { findings, facts } = validateCompose(text, 'spec');
    expect(findings.map(({ rule, verdict, line, column }) => `${verdict} ${rule} ${line}:${column}`)).toEqual([
      expected,
    ]);
    expect(facts === undefined).toBe(expected.startsWith('error'));
  });
});
