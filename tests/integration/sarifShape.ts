/** Required members of the parts of SARIF 2.1.0 that the command writes (sections 3.13 to 3.30); others are rejected. */
const exactly = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const list = (items: unknown) => ({ type: 'array', items });
const text = { type: 'string', minLength: 1 };
const from1 = { type: 'integer', minimum: 1 };
const level = { enum: ['error', 'warning', 'note'] };
const message = exactly({ text });
const physicalLocation = exactly(
  {
    artifactLocation: exactly({ uri: { type: 'string', pattern: '^[^\\s:\\\\"<>{}|^`]+$' } }),
    region: exactly({ startLine: from1, startColumn: from1, endLine: from1, endColumn: from1 }),
  },
  ['artifactLocation']
);
const location = exactly(
  { physicalLocation, logicalLocations: list(exactly({ fullyQualifiedName: { type: 'string' } })) },
  ['physicalLocation']
);

export const SARIF_SHAPE = exactly({
  $schema: { type: 'string', pattern: '^https://.*sarif-schema-2\\.1\\.0\\.json$' },
  version: { const: '2.1.0' },
  runs: list(
    exactly({
      tool: exactly({
        driver: exactly({
          name: text,
          version: text,
          rules: {
            ...list(exactly({ id: text, shortDescription: message, defaultConfiguration: exactly({ level }) })),
            uniqueItems: true,
          },
        }),
      }),
      columnKind: { const: 'utf16CodeUnits' },
      invocations: list(
        exactly({
          executionSuccessful: { type: 'boolean' },
          toolExecutionNotifications: list(exactly({ level, message, locations: list(location) })),
        })
      ),
      results: list(
        exactly({ ruleId: text, ruleIndex: { type: 'integer', minimum: 0 }, level, message, locations: list(location) })
      ),
    })
  ),
});
