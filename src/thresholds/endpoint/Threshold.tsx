import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';
import { sentenceAt, type Endpoint, type EndpointMetric, type EndpointThreshold } from '@nodebell/contract/endpoint.ts';
import { amount, sentence } from '../words';
import { NotSaved } from './NotSaved';
import { NumberField } from './NumberField';
import { Sign } from './Sign';
import { Slider } from './Slider';
import { ValueHistory } from './ValueHistory';
import { useThreshold, type SaveThreshold } from './useThreshold';

interface Props {
  /** Of a registered package: the history of its values can be asked for. */
  dnpName?: string | undefined;
  endpoint: Endpoint;
  threshold: EndpointThreshold;
  metric: EndpointMetric;
  /** It can be seen, and not moved. */
  disabled: boolean;
  /** Undefined where the user may not. */
  save: SaveThreshold | undefined;
}

const nothing = () => Promise.resolve();

/** The slider of an endpoint with its number, and when it alerts in words. */
export function Threshold({ dnpName, endpoint, threshold, metric, disabled, save }: Props) {
  const styles = useStyles2(getStyles);
  const { value, settled, gesture, reset, keep, failure } = useThreshold(threshold.value, save ?? nothing);
  const { min, max, unit } = metric;
  const fixed = disabled || save === undefined;
  const control = { value, settled, min, max, unit, gesture, disabled: fixed };
  const words = sentenceAt(endpoint, value) ?? endpoint.sentence;
  return (
    <>
      <div className={styles.controls}>
        <div className={styles.slider}>
          <Slider {...control} label={`Threshold of ${endpoint.title}`} shipped={threshold.shipped} />
        </div>
        <div className={styles.field}>
          <NumberField {...control} label={`Threshold of ${endpoint.title}, as a number`} />
        </div>
      </div>
      <div className={styles.sentence}>
        {words && <span className={styles.words}>{sentence(words)}</span>}
        <Default threshold={threshold} value={value} unit={unit} onReset={fixed ? undefined : reset} />
      </div>
      {dnpName !== undefined && endpoint.history && (
        <ValueHistory dnpName={dnpName} correlationId={endpoint.correlationId} metric={metric} value={value} />
      )}
      <Notes threshold={threshold} value={value} unit={unit} onReset={fixed ? undefined : reset} onKeep={keep} />
      {failure && <NotSaved failure={failure} stays={amount(threshold.value, unit)} />}
    </>
  );
}

interface DefaultProps {
  threshold: EndpointThreshold;
  value: number;
  unit: string | undefined;
  /** Undefined where it cannot be. */
  onReset: ((shipped: number) => void) | undefined;
}

/** Whether it is what the package ships, and the way back to that. */
function Default({ threshold, value, unit, onReset }: DefaultProps) {
  const styles = useStyles2(getStyles);
  const { shipped, origin, recommends } = threshold;
  if (value === shipped && origin === 'package') {
    return <span className={styles.quiet}>default</span>;
  }
  if (recommends && threshold.value === value) {
    return null;
  }
  return onReset ? (
    <Button size="sm" variant="secondary" fill="text" icon="history" onClick={() => onReset(shipped)}>
      {`Reset to ${amount(shipped, unit)}`}
    </Button>
  ) : (
    <span className={styles.quiet}>{`default ${amount(shipped, unit)}`}</span>
  );
}

/** What is special about the value in effect. */
function Notes({ threshold, value, unit, onReset, onKeep }: DefaultProps & { onKeep: () => void }) {
  const { recommends, outOfRange } = threshold;
  if (threshold.value !== value) {
    return null;
  }
  return (
    <>
      {outOfRange && <Sign icon="exclamation-triangle" tone="warning" text={outOfRange} />}
      {recommends && (
        <Sign icon="info-circle" tone="info" text={recommends.detail}>
          {onReset && (
            <>
              <Button size="sm" variant="primary" fill="text" onClick={() => onReset(recommends.to)}>
                {`Use ${amount(recommends.to, unit)}`}
              </Button>
              <Button size="sm" variant="secondary" fill="text" onClick={onKeep}>
                {`Keep ${amount(value, unit)}`}
              </Button>
            </>
          )}
        </Sign>
      )}
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  controls: css({ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: theme.spacing(1, 2.5) }),
  slider: css({ flex: '1 1 120px', minWidth: 0, paddingTop: theme.spacing(0.25) }),
  field: css({ flex: '0 1 128px', minWidth: 104 }),
  sentence: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(0, 1.5),
    minHeight: 24,
    overflowWrap: 'anywhere',
  }),
  words: css({ fontVariantNumeric: 'tabular-nums' }),
  quiet: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize }),
});
