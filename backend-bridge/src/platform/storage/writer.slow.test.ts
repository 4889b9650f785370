/** The thread alone: what it writes is in writeQueue.slow.test.ts. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../folder.testing.ts';
import { startWriter, type Writer } from './writer.ts';

/** Records in the file of its path when it starts and ends; any request but `close` ends it. */
const THREAD = `
  import { appendFileSync } from 'node:fs';
  import { parentPort, workerData } from 'node:worker_threads';
  appendFileSync(workerData.path, 'start ');
  parentPort.on('message', (request) => {
    if (request !== 'close') process.exit(1);
    appendFileSync(workerData.path, 'close ');
    parentPort.close();
  });
  parentPort.postMessage('{"type":"ready"}');
`;

async function startRecorded(beforeRestart: (writer: Writer) => void) {
  const folder = temporaryFolder();
  const file = path.join(folder, 'record');
  const nothing = (): void => undefined;
  const writer: Writer = await startWriter({
    path: file,
    module: new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`),
    ...{ onDone: nothing, onDeath: nothing, onRestarted: nothing, onLost: nothing },
    beforeRestart: () => beforeRestart(writer),
    delays: [0],
  });
  return { writer, record: () => readFileSync(file, 'utf8') };
}

it('a writer that is closed while it restarts ends as well', async () => {
  const closed = Promise.withResolvers<void>();
  const { writer, record } = await startRecorded((restarting) => void restarting.close().then(closed.resolve));
  writer.post('end');
  await closed.promise;
  expect(record()).toBe('start start close ');
});
