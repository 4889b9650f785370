import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import type { Effect, Endpoint } from '@nodebell/contract/endpoint.ts';
import { t } from '../../i18n/t';
import { useNow } from '../../components/timers';
import { absoluteTime } from '../../components/moments';
import { effectSign } from '../words';
import { Sign } from './Sign';

/** What became of the settings of an endpoint, and what else there is to know. */
export function Effects({ endpoint }: { endpoint: Endpoint }) {
  const styles = useStyles2(getStyles);
  const { effects, cautions, active, inactive } = endpoint;
  if (active && effects.length + cautions.length === 0) {
    return null;
  }
  return (
    <div className={styles.effects}>
      {!active && <Sign icon="pause" tone="warning" text={inactiveWords(inactive)} />}
      {effects.map((effect) => (
        <EffectSign key={effect.monitor} effect={withoutRepeating(effect, cautions)} />
      ))}
      {cautions.map((text) => (
        <Sign key={text} icon="info-circle" tone="info" text={text} />
      ))}
    </div>
  );
}

const inactiveWords = (reason: string | undefined): string =>
  reason === undefined
    ? t('thresholds.effect.inactive', 'Not active: its requirements are not met.')
    : t('thresholds.effect.inactive-because', 'Not active: {{reason}}', { reason });

/** What is a caution as well is said once, by itself. */
function withoutRepeating({ reason, ...effect }: Effect, cautions: readonly string[]): Effect {
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

/** Counts down to the next try. */
export function Pending({ effect }: { effect: Pick<Effect, 'monitor' | 'state' | 'reason' | 'nextTryAt'> }) {
  return <Sign {...effectSign(effect, useNow(1000))} />;
}

const getStyles = (theme: GrafanaTheme2) => ({
  effects: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0.5, 2) }),
});
