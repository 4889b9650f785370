/** Findings as SARIF 2.1.0 (OASIS), which code hosts read. */
import type { FileFinding, JudgedFile, Outcome } from './types.ts';

/** @param version of the command */
export function sarifText({ files, unreadable }: Outcome, version: string): string {
  const rules = [
    ...new Map(files.flatMap(({ findings }) => findings).map((finding) => [finding.rule, finding])).values(),
  ];
  const order = new Map(rules.map(({ rule }, index) => [rule, index]));
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'nodebell', version, rules: rules.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: unreadable.length === 0,
            toolExecutionNotifications: unreadable.map(({ path, message }) => ({
              level: 'error',
              message: { text: message },
              locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(path) } } }],
            })),
          },
        ],
        results: files.flatMap((file) => file.findings.map((finding) => resultOf(file, finding, order))),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const ruleOf = ({ rule, title, verdict }: FileFinding) => ({
  id: rule,
  shortDescription: { text: title },
  defaultConfiguration: { level: verdict },
});

function resultOf({ path }: JudgedFile, finding: FileFinding, order: ReadonlyMap<string, number>) {
  const { column, detail, endColumn, endLine, line, pointer, rule, title, verdict } = finding;
  return {
    ruleId: rule,
    ruleIndex: order.get(rule),
    level: verdict,
    message: { text: `${title}. ${detail}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(path) },
          region: { startLine: line, startColumn: column, endLine, endColumn },
        },
        logicalLocations: [{ fullyQualifiedName: pointer }],
      },
    ],
  };
}

/** A relative reference (RFC 3986): each step escaped, and no scheme in the first. */
const uriOf = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
