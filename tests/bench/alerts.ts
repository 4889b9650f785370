/** Firing alerts that Prometheus sends again each minute, in its batches of 256: CPU time of a minute, writes, and memory. */
import { readFileSync } from 'node:fs';
import { ADMIN_TOKEN, runBridge, type RunningBridge } from './bridge.ts';
import { percentile, table } from './table.ts';

const ALERTS = 10_000;
/** `--alertmanager.notification-batch-size` of Prometheus. */
const BATCH = 256;
const MINUTES = 5;
const TICKS_PER_SECOND = 100;

/** CPU time of the process so far, in seconds (proc(5), utime and stime). */
function cpuSeconds({ pid }: RunningBridge): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function alert(index: number): object {
  return {
    labels: {
      alertname: `Rule${index % 50}`,
      instance: `host-${index}.example:9100`,
      job: 'node',
      severity: ['critical', 'warning', 'info'][index % 3],
      team: `team-${index % 9}`,
    },
    annotations: { summary: `Rule ${index % 50} on host-${index}`, description: `Value is ${Math.random()}` },
    startsAt: '2026-01-01T00:00:00Z',
    endsAt: new Date(Date.now() + 4 * 60_000).toISOString(),
    generatorURL: 'http://prometheus.example:9090/graph?g0.expr=up',
  };
}

async function sendAll(url: string): Promise<void> {
  for (let first = 0; first < ALERTS; first += BATCH) {
    const body = Array.from({ length: Math.min(BATCH, ALERTS - first) }, (_, index) => alert(first + index));
    const response = await fetch(`${url}/alertmanager/api/v2/alerts`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) {
      throw new Error(`${response.status}: ${await response.text()}`);
    }
    await response.arrayBuffer();
  }
}

export async function alerts(): Promise<void> {
  const bridge = await runBridge();
  const stored = async (): Promise<string> => {
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
    const metrics = await (await fetch(`${bridge.url}/metrics`, { headers })).text();
    return /^nodebell_notifications_received_total.*$/m.exec(metrics)?.[0] ?? '';
  };
  await sendAll(bridge.url);
  const before = await stored();
  if (before === '') {
    throw new Error('the metric of received notifications is missing');
  }
  const shares: number[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const start = cpuSeconds(bridge);
    await sendAll(bridge.url);
    shares.push(((cpuSeconds(bridge) - start) / 60) * 100);
  }
  const rows = before === (await stored()) ? 'none' : 'some';
  const memory = `${Math.round(bridge.memory() / 1024 / 1024)} MiB`;
  await bridge.stop();
  console.log(`\n## ${ALERTS.toLocaleString('en')} firing alerts, sent again each minute\n`);
  console.log(
    table(
      ['CPU of one core', 'notifications stored', 'memory'],
      [[`${percentile(shares, 50).toFixed(1)} %`, rows, memory]]
    )
  );
}
