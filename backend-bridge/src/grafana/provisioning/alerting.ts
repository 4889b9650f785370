/** What Grafana, or the bridge, would stumble over in one file of the folder alerting. Pure. */
import type { z } from 'zod';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import type { Read, Told } from './read.ts';
import { judgeReceiver } from './receiver.ts';
import { judgeRule } from './rule.ts';
import type { alertingSchema } from './shapes.ts';
import { secondsOf } from './values.ts';

/** Seconds: how often Grafana's scheduler looks, as it is shipped. */
const STEP = 10;

export type AlertingFile = z.infer<typeof alertingSchema>;

export function judgeAlerting({ value, at }: Read<AlertingFile>): ProvisioningFinding[] {
  const groups = (value?.groups ?? []).flatMap(({ interval, rules = [] }, index) => {
    const seconds = secondsOf(interval);
    const detail = `The scheduler looks every ${STEP} seconds: write a multiple of that, at least ${STEP}s.`;
    const told: Told = { rule: 'interval', verdict: 'error', title: 'The interval does not fit', detail };
    const isRight = seconds === undefined || (seconds > 0 && seconds % STEP === 0);
    return [
      ...(isRight ? [] : [at(['groups', index, 'interval'], told)]),
      ...rules.flatMap((rule, nth) =>
        judgeRule(rule, (path, what) => at(['groups', index, 'rules', nth, ...path], what))
      ),
    ];
  });
  const points = (value?.contactPoints ?? []).flatMap(({ receivers }, index) =>
    receivers.flatMap((receiver, nth) =>
      judgeReceiver(receiver, (path, what) => at(['contactPoints', index, 'receivers', nth, ...path], what))
    )
  );
  const detail =
    'Grafana puts it in the place of the whole tree, also of what was made by hand. A rule can name its contact point itself: notification_settings.receiver.';
  const told: Told = { rule: 'policies', verdict: 'warning', title: 'Policies are replaced', detail };
  return [...groups, ...points, ...((value?.policies ?? []).length > 0 ? [at(['policies'], told)] : [])];
}
