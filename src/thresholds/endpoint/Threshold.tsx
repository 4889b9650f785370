import { css } from '@emotion/css';
import { Box, Button, Stack, Text } from '@grafana/ui';
import type { Endpoint, EndpointMetric, EndpointThreshold, EndpointPatch } from '@nodebell/contract/endpoint.ts';
import { WithCode } from '../../components/WithCode';
import { t } from '../../i18n/t';
import { alertsWhen } from '../alertsWhen';
import { amount, figure } from '../messages';
import { NotSaved, Sign } from './Sign';
import { NumberField } from './NumberField';
import { Slider } from './Slider';
import { ValueHistory } from './ValueHistory';
import { useThreshold, type SaveThreshold } from '../useSaving';
import { SecondaryText } from '../../components/SecondaryText';
import { SmallButton } from '../../components/SmallButton';

interface Props {
  /** Set for registered packages, whose history of values is available. */
  dnpName?: string | undefined;
  endpoint: Endpoint;
  threshold: EndpointThreshold;
  metric: EndpointMetric;
  /** Shown, but read-only. */
  disabled: boolean;
  /** Undefined if the user lacks permission. */
  save: SaveThreshold | undefined;
}

const noop = () => Promise.resolve();

/** Slider and number field of a threshold, with a sentence on when the endpoint alerts. */
function Threshold({ dnpName, endpoint, threshold, metric, disabled, save }: Props) {
  const { value, settled, gesture, reset, keep, failure } = useThreshold(threshold.value, save ?? noop);
  const { min, max, unit } = metric;
  const fixed = disabled || save === undefined;
  const control = { value, settled, min, max, unit, gesture, disabled: fixed };
  const sentence = alertsWhen(endpoint, value);
  return (
    <>
      <Stack rowGap={1} columnGap={2.5} wrap alignItems="flex-start">
        <Box flex="1 1 120px" minWidth={0} paddingTop={0.25}>
          <Slider
            {...control}
            label={t('thresholds.slider.label', 'Threshold for {{title}}', { title: endpoint.title })}
            shipped={threshold.shipped}
          />
        </Box>
        <Box flex="0 1 128px" minWidth="104px">
          <NumberField
            {...control}
            label={t('thresholds.slider.number', 'Threshold for {{title}}, as a number', { title: endpoint.title })}
          />
        </Box>
      </Stack>
      <Stack rowGap={0} columnGap={1.5} wrap alignItems="center" minHeight="24px">
        {sentence && <Text tabular>{sentence}</Text>}
        <Default threshold={threshold} value={value} unit={unit} onReset={fixed ? undefined : reset} />
      </Stack>
      {dnpName !== undefined && endpoint.history && (
        <ValueHistory dnpName={dnpName} correlationId={endpoint.correlationId} metric={metric} value={value} />
      )}
      <Notes
        threshold={threshold}
        metric={metric}
        value={value}
        unit={unit}
        onReset={fixed ? undefined : reset}
        onKeep={keep}
      />
      {failure && <NotSaved failure={failure} stays={amount(threshold.value, unit)} />}
    </>
  );
}

interface DefaultProps {
  threshold: EndpointThreshold;
  value: number;
  unit: string | undefined;
  /** Undefined if the value is read-only. */
  onReset: ((shipped: number) => void) | undefined;
}

/** Shows whether the value is the package's default, or a button to reset it. */
function Default({ threshold, value, unit, onReset }: DefaultProps) {
  const { shipped, origin, recommends } = threshold;
  if (value === shipped && origin === 'package') {
    return <SecondaryText>{t('thresholds.slider.is-default', 'default')}</SecondaryText>;
  }
  if (recommends && threshold.value === value) {
    return null;
  }
  return onReset ? (
    <SmallButton fill="text" icon="history" onClick={() => onReset(shipped)}>
      {t('thresholds.slider.reset', 'Reset to {{amount}}', { amount: amount(shipped, unit) })}
    </SmallButton>
  ) : (
    <SecondaryText>
      {t('thresholds.slider.default-is', 'default {{amount}}', { amount: amount(shipped, unit) })}
    </SecondaryText>
  );
}

const outOfRangeMessage = (value: number, { min, max, unit }: EndpointMetric): string =>
  t(
    'thresholds.note.out-of-range',
    '{{value}} is outside the range {{min}} to {{max}}. It stays in effect until someone changes it.',
    { value: amount(value, unit), min: figure(min), max: amount(max, unit) }
  );

const recommendsMessage = (to: number, value: number, unit: string | undefined): string =>
  t('thresholds.note.recommends', 'The package now recommends {{to}}. Your value is {{value}}.', {
    to: amount(to, unit),
    value: amount(value, unit),
  });

/** Notes on the value in effect: out of range, or a new recommendation of the package. */
function Notes(props: DefaultProps & { metric: EndpointMetric; onKeep: () => void }) {
  const { threshold, metric, value, unit, onReset, onKeep } = props;
  const { recommends, outOfRange } = threshold;
  if (threshold.value !== value) {
    return null;
  }
  return (
    <>
      {outOfRange && <Sign icon="exclamation-triangle" tone="warning" text={outOfRangeMessage(value, metric)} />}
      {recommends && (
        <Sign icon="info-circle" tone="info" text={recommendsMessage(recommends.to, value, unit)}>
          {onReset && (
            <>
              <Button size="sm" variant="primary" fill="text" onClick={() => onReset(recommends.to)}>
                {t('thresholds.note.use', 'Use {{amount}}', { amount: amount(recommends.to, unit) })}
              </Button>
              <SmallButton fill="text" onClick={onKeep}>
                {t('thresholds.note.keep', 'Keep {{amount}}', { amount: amount(value, unit) })}
              </SmallButton>
            </>
          )}
        </Sign>
      )}
    </>
  );
}

interface WhenProps {
  /** Set for registered packages, whose history of values is available. */
  dnpName?: string | undefined;
  endpoint: Endpoint;
  /** Undefined if the user lacks permission. */
  save: ((patch: EndpointPatch) => Promise<unknown>) | undefined;
  /** Shown, but read-only. */
  disabled: boolean;
}

/** When an endpoint alerts: the slider, or the condition and why it has no slider. */
export function When({ dnpName, endpoint, save, disabled }: WhenProps) {
  const { threshold, metric, condition, readOnly } = endpoint;
  if (threshold && metric) {
    return (
      <Threshold
        dnpName={dnpName}
        endpoint={endpoint}
        threshold={threshold}
        metric={metric}
        disabled={disabled || threshold.origin === 'provisioned'}
        save={save && ((next) => save({ threshold: next }))}
      />
    );
  }
  return (
    <>
      {condition && <code className={code}>{condition.effective}</code>}
      {readOnly && (
        <SecondaryText element="p">
          <WithCode text={readOnly} />
        </SecondaryText>
      )}
    </>
  );
}

const code = css({ alignSelf: 'flex-start', whiteSpace: 'pre-wrap' });
