/** Metrics of channels. The label is a provisioned name, so that there are few. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Number by channel. */
type Counts = (state: 'waiting' | 'held') => Promise<ReadonlyMap<string, number>>;

export type ChannelCounters = ReturnType<typeof createChannelCounters>;

/** Metrics by channel: docs/operate.md. */
export function createChannelCounters() {
  const labelNames = ['channel'];
  const counter = (name: string, help: string) => new Counter({ name, help, labelNames, registers: [] });
  const sent = counter('nodebell_channel_sent_total', 'Notifications that were delivered over the channel.');
  const retried = counter('nodebell_channel_retried_total', 'Attempts that failed and are repeated.');
  const failed = counter('nodebell_channel_failed_total', 'Notifications that were given up.');
  const seconds = new Histogram({
    name: 'nodebell_channel_delivery_seconds',
    help: 'From the receipt of a notification to its delivery.',
    labelNames,
    buckets: [0.1, 0.5, 1, 5, 30, 60, 300, 3600, 86_400],
    registers: [],
  });
  return {
    /** @param took seconds from receipt to delivery */
    sent(channel: string, count: number, took: number): void {
      sent.inc({ channel }, count);
      seconds.observe({ channel }, took);
    },
    retried: (channel: string) => retried.inc({ channel }),
    failed: (channel: string, count: number) => failed.inc({ channel }, count),
    /** Before the first delivery, so that the series are there. */
    add: (channel: string) => [sent, retried, failed].forEach((one) => one.inc({ channel }, 0)),
    register(registry: Registry, counts: Counts): void {
      [sent, retried, failed, seconds].forEach((one) => registry.registerMetric(one));
      const gauge = (name: string, state: 'waiting' | 'held', help: string): void =>
        void new Gauge({
          name,
          help,
          labelNames,
          registers: [registry],
          async collect() {
            this.reset();
            for (const [channel, count] of await counts(state)) {
              this.set({ channel }, count);
            }
          },
        });
      gauge('nodebell_channel_waiting', 'waiting', 'Notifications that wait for the channel.');
      const reasons = 'Notifications that wait for a digest, the end of quiet hours, or an acknowledgement.';
      gauge('nodebell_channel_held', 'held', reasons);
    },
  };
}
