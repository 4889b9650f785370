/** The process: environment, start, stop. The only file that reads `process`. */
import { setFlagsFromString } from 'node:v8';
import { pino } from 'pino';
import { startBridge, VERSION } from './bridge.ts';
import { ConfigError, readConfig } from './config.ts';
import { collectWhenIdle } from './platform/runtime/idleCollect.ts';

// Without this, V8 may allocate parts of requests in the old generation, where they keep finished requests: docs/decisions/0007-ingest.md.
setFlagsFromString('--no-allocation-site-pretenuring');
// The young generation of the command line is for this thread; without this, it would replace the `resourceLimits` of the others.
setFlagsFromString('--max-semi-space-size=0');

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = pino({ level: config.logLevel });
  const bridge = await startBridge(config, log, Date.now, {
    pid: process.pid,
    onFatal(cause) {
      log.fatal({ err: cause }, 'the writer stopped and cannot be restarted; exiting');
      process.exit(1);
    },
  });
  log.info({ url: bridge.url, auth: config.auth, dataDir: config.dataDir, version: VERSION }, 'the bridge is ready');
  collectWhenIdle();
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) {
      return;
    }
    stopping = true;
    log.info({ signal }, 'stopping');
    bridge.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the bridge did not stop cleanly');
        process.exit(1);
      }
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : `The bridge cannot start: ${(error as Error).message}`}\n`
  );
  process.exit(1);
});
