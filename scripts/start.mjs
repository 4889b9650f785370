/** `npm start`: bridge and pages on this machine, without Docker or Grafana. Ctrl-C stops them. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from './build.mjs';
import { main, Problem, ROOT, say } from './run.mjs';
import { setup } from './setup.mjs';

const SAMPLE = {
  title: 'Test Notification',
  body: 'This is a test notification sent with curl',
  category: 'other',
  dnpName: 'test.dnp.dappnode.eth',
  priority: 'low',
  status: 'triggered',
  callToAction: { title: 'Hello World', url: 'http://dappmanager.dappnode' },
  correlationId: 'testPkg-test',
  isBanner: false,
};

/** Example packages. */
const EXAMPLES = path.join(ROOT, 'provisioning', 'nodebell');

function readPort(name, fallback) {
  const port = Number(process.env[name] || fallback);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new Problem(`${name} is ${process.env[name]}, which is not a port: set a number from 1 to 65535.`);
  }
  return port;
}

async function demandFree(host, port, what, variable) {
  const server = createServer();
  try {
    await new Promise((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  } catch (error) {
    const reason = error.code === 'EADDRINUSE' ? 'is in use by another process' : `cannot be used (${error.message})`;
    throw new Problem(`Port ${port}, for ${what}, ${reason}. Try: ${variable}=${port + 10000} npm start`);
  }
  await new Promise((resolve) => server.close(resolve));
}

const children = new Set();

/** Node's flags for the bridge: they limit V8's young and old generation. */
async function bridgeFlags() {
  const { scripts } = JSON.parse(await readFile(path.join(ROOT, 'backend-bridge', 'package.json'), 'utf8'));
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}

function launch(node, args, env) {
  const child = spawn(node, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

async function stopAll() {
  const ended = [...children].map((child) => new Promise((resolve) => child.once('exit', resolve)));
  children.forEach((child) => child.kill('SIGTERM'));
  await Promise.race([Promise.all(ended), wait(5000)]);
  children.forEach((child) => child.kill('SIGKILL'));
}

async function untilReady(url, child, what) {
  for (let tries = 0; tries < 150; tries++) {
    if (child.exitCode !== null) {
      throw new Problem(`${what} did not start; see the output above.`);
    }
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) {
      return;
    }
    await wait(100);
  }
  throw new Problem(`${what} was not ready within 15 seconds (${url}).`);
}

function announce({ bridgeUrl, consoleUrl, dataDir }) {
  const body = JSON.stringify(SAMPLE);
  say(`
Nodebell is running. Ctrl-C ends it.

  Inbox    ${consoleUrl}
  Bridge   ${bridgeUrl}   senders post to /api/v1/notifications
  Data     ${path.relative(process.cwd(), dataDir) || '.'}   kept until you delete it

Send a first notification from another terminal, and watch it arrive:

curl ${bridgeUrl}/api/v1/notifications -H 'Content-Type: application/json' -d '${body}'
`);
}

await main(async () => {
  const node = await setup({ dev: false });
  await build(node, { minified: false });
  const bridgePort = readPort('NODEBELL_PORT', 8080);
  const consolePort = readPort('NODEBELL_CONSOLE_PORT', 3001);
  const host = process.env.NODEBELL_HOST || '127.0.0.1';
  await demandFree(host, bridgePort, 'the bridge', 'NODEBELL_PORT');
  await demandFree('127.0.0.1', consolePort, 'the pages', 'NODEBELL_CONSOLE_PORT');

  const dataDir = path.resolve(ROOT, process.env.NODEBELL_DATA_DIR || 'data');
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const bridgeUrl = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${bridgePort}`;
  const consoleUrl = `http://127.0.0.1:${consolePort}`;

  let stopping = false;
  const stop = async (code) => {
    if (!stopping) {
      stopping = true;
      await stopAll();
      process.exit(code);
    }
  };
  process.on('SIGINT', () => void stop(0));
  process.on('SIGTERM', () => void stop(0));

  try {
    const bridge = launch(node, [...(await bridgeFlags()), path.join('backend-bridge', 'dist', 'src', 'main.js')], {
      // Fewer pools of memory that glibc keeps.
      MALLOC_ARENA_MAX: '2',
      NODEBELL_PORT: String(bridgePort),
      NODEBELL_DATA_DIR: dataDir,
      NODEBELL_LOG_LEVEL: process.env.NODEBELL_LOG_LEVEL || 'warn',
      ...(!process.env.NODEBELL_PROVISIONING_DIR &&
        !process.env.NODEBELL_PROVISIONING_DIR_FILE && { NODEBELL_PROVISIONING_DIR: EXAMPLES }),
    });
    await untilReady(`${bridgeUrl}/readyz`, bridge, 'The bridge');
    const console = launch(node, [path.join('standalone', 'server', 'main.ts')], {
      NODEBELL_CONSOLE_PORT: String(consolePort),
      NODEBELL_BRIDGE_URL: bridgeUrl,
      ...(!process.env.NODEBELL_ADMIN_TOKEN &&
        !process.env.NODEBELL_ADMIN_TOKEN_FILE && { NODEBELL_ADMIN_TOKEN_FILE: path.join(dataDir, 'admin-token') }),
    });
    await untilReady(`${consoleUrl}/api/login/ping`, console, 'The server of the pages');
    for (const child of [bridge, console]) {
      child.once('exit', () => void stop(1));
    }
  } catch (error) {
    await stopAll();
    throw error;
  }
  announce({ bridgeUrl, consoleUrl, dataDir });
});
