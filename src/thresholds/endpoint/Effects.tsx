import { Stack } from '@grafana/ui';
import type { Effect, Endpoint } from '@nodebell/contract/endpoint.ts';
import { t } from '../../i18n/t';
import { useNow } from '../../components/timers';
import { absoluteTime } from '../../components/moments';
import { effectSign } from '../messages';
import { Sign } from './Sign';

/** Sync state of an endpoint's settings in each monitor, and cautions. */
export function Effects({ endpoint }: { endpoint: Endpoint }) {
  const { effects, cautions, active, inactive } = endpoint;
  if (active && effects.length + cautions.length === 0) {
    return null;
  }
  return (
    <Stack rowGap={0.5} columnGap={2} wrap>
      {!active && <Sign icon="pause" tone="warning" text={inactiveMessage(inactive)} />}
      {effects.map((effect) => (
        <EffectSign key={effect.monitor} effect={withoutDuplicateReason(effect, cautions)} />
      ))}
      {cautions.map((text) => (
        <Sign key={text} icon="info-circle" tone="info" text={text} />
      ))}
    </Stack>
  );
}

const inactiveMessage = (reason: string | undefined): string =>
  reason === undefined
    ? t('thresholds.effect.inactive', 'Not active: its requirements are not met.')
    : t('thresholds.effect.inactive-because', 'Not active: {{reason}}', { reason });

/** Omits a reason that is shown as a caution already. */
function withoutDuplicateReason({ reason, ...effect }: Effect, cautions: readonly string[]): Effect {
  return reason === undefined || cautions.includes(reason) ? effect : { ...effect, reason };
}

function EffectSign({ effect }: { effect: Effect }) {
  return effect.state === 'pending' ? (
    <Pending effect={effect} />
  ) : (
    <div title={effect.at && absoluteTime(effect.at)}>
      <Sign {...effectSign(effect, 0)} />
    </div>
  );
}

/** Counts down to the next retry. */
export function Pending({ effect }: { effect: Pick<Effect, 'monitor' | 'state' | 'reason' | 'nextTryAt'> }) {
  return <Sign {...effectSign(effect, useNow(1000))} />;
}
