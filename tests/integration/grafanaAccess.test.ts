/** Every role × every operation, through the stand-in for Grafana's proxy. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API, OPERATIONS } from '../../backend-bridge/contract/api.ts';
import { ACTIONS } from '../../backend-bridge/contract/roles.ts';
import { type RunningConsole, startConsole } from '../../standalone/server/console.ts';
import { type Answer, asRole, call, PROXY } from '../../standalone/server/console.testing.ts';
import { type Cell, EXPECTED, requestOf, WHO } from './grafanaAccess.testing.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';
import { ADMIN_TOKEN, TestBridge } from './support.ts';

let bridge: TestBridge;
let host: RunningConsole;

beforeAll(async () => {
  bridge = await TestBridge.start({ auth: 'token' });
  const pluginDir = new URL('../..', import.meta.url).pathname;
  host = await startConsole({ port: 0, bridgeUrl: bridge.url, bridgeToken: ADMIN_TOKEN, pluginDir });
});
afterAll(async () => {
  await host.close();
  await bridge.dispose();
});

const JSON_BODY = { 'content-type': 'application/json' };

/** An invalid body, so that permitted requests change nothing. */
const bodyOf = (method: string) => (method === 'GET' || method === 'DELETE' ? {} : { body: '{"x":1}' });

async function ask(who: string, id: string): Promise<Answer> {
  const { method, path } = requestOf(id);
  const [role = '', granted] = who.split(' with ');
  const headers = { ...asRole(role, granted), ...JSON_BODY };
  // A stream would not end, so it gets an invalid position.
  const query = id === 'listenEvents' ? '?lastEventId=x' : '';
  return call(host.url, `${PROXY}/${path}${query}`, { method, headers, ...bodyOf(method) });
}

function cellOf({ status, body }: Answer): Cell {
  return status === 403 ? 'n' : body.includes('plugin route match not found') ? '-' : 'y';
}

test('the table contains every operation', () => {
  expect(Object.keys(EXPECTED).sort()).toEqual(OPERATIONS.map(({ id }) => id).sort());
});

test('every cell is correct', async () => {
  const found: Record<string, string> = {};
  const ours: string[] = [];
  for (const id of Object.keys(EXPECTED)) {
    const cells: Cell[] = [];
    for (const who of WHO) {
      const answer = await ask(who, id);
      cells.push(cellOf(answer));
      if (answer.status >= 500) {
        ours.push(`${id} by ${who}: ${answer.status} ${answer.body}`);
      }
    }
    found[id] = cells.join(' ');
  }
  expect(found).toEqual(EXPECTED);
  expect(ours).toEqual([]);
});

describe('the bridge on its own', () => {
  const grafana = (action: string) => `Grafana action="${action}", token="${ADMIN_TOKEN}"`;
  const straight = (id: string, headers: Record<string, string>) => {
    const { method, path } = requestOf(id);
    const query = id === 'listenEvents' ? '?lastEventId=x' : '';
    return call(bridge.url, `/${path}${query}`, { method, headers: { ...JSON_BODY, ...headers }, ...bodyOf(method) });
  };
  const guarded = OPERATIONS.filter(({ access }) => access === 'admin' || access === 'sender').map(({ id }) => id);

  test('an operation requires its own action, whatever the role', async () => {
    const wrong: string[] = [];
    for (const id of guarded) {
      for (const action of Object.keys(ACTIONS)) {
        const headers = { ...fromGrafana('ada', { OrgRole: 'Admin' }), authorization: grafana(action) };
        const { status } = await straight(id, headers);
        if ((status !== 403) !== (API[id as keyof typeof API].may === action)) {
          wrong.push(`${id} with ${action}: ${status}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test('behind a proxy that sends no action, the role decides', async () => {
    const wrong: string[] = [];
    for (const id of guarded) {
      for (const role of ['Viewer', 'Editor', 'Admin'] as const) {
        const headers = { ...fromGrafana('ada', { OrgRole: role }), authorization: `Bearer ${ADMIN_TOKEN}` };
        const { status } = await straight(id, headers);
        const cell = EXPECTED[id]!.split(' ')[WHO.indexOf(role)]!;
        if ((status !== 403) !== (cell === 'y')) {
          wrong.push(`${id} as ${role}: ${status}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});
