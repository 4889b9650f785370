import { Box, LinkButton, Stack, Text } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { linkProps } from '../../components/links';
import { t } from '../../i18n/t';
import { NumberField } from '../endpoint/NumberField';
import { Sign } from '../endpoint/Sign';
import { Slider } from '../endpoint/Slider';
import { useGesture } from '../useSaving';
import { noneMessage, shortSliderName, sliderName, valuesSentence } from './messages';
import { sameValues, valuesOf, type Rule, type RuleThreshold, type RuleValues } from './rule';
import { FileLine, RuleSaving } from './RuleSaving';
import { RuleVersions } from './RuleVersions';
import { RuleWeek } from './RuleWeek';
import { weekQuery } from './useRules';
import { drawnLine, sliderRange } from './week';
import { urlSegment } from '@nodebell/contract/url.ts';
import { SecondaryText } from '../../components/SecondaryText';
import { SmallButton } from '../../components/SmallButton';

interface Props {
  rule: Rule;
  draft: RuleValues | undefined;
  onDraft: (uid: string, values: RuleValues | undefined) => void;
}

/** The opened row of a rule. */
export function RuleEditor({ rule, draft, onDraft }: Props) {
  const [versions, setVersions] = useState(false);
  const { threshold } = rule;
  return (
    <>
      {threshold ? (
        <Editor rule={rule} threshold={threshold} draft={draft} onDraft={onDraft} />
      ) : (
        <Sign icon="info-circle" tone="info" text={noneMessage(rule.none)} />
      )}
      <Stack wrap alignItems="center">
        <SmallButton fill="text" icon="history" aria-expanded={versions} onClick={() => setVersions(!versions)}>
          {t('thresholds.rules.history', 'History')}
        </SmallButton>
        <LinkButton
          size="sm"
          variant="secondary"
          fill="text"
          icon="bell"
          {...linkProps(`/alerting/grafana/${urlSegment(rule.uid)}/view`)}
        >
          {t('thresholds.rules.open', 'Rule in Grafana')}
        </LinkButton>
      </Stack>
      {versions && <RuleVersions rule={rule} onRestore={(values) => onDraft(rule.uid, values)} />}
    </>
  );
}

interface EditorProps extends Props {
  threshold: RuleThreshold;
}

function Editor({ rule, threshold, draft, onDraft }: EditorProps) {
  const week = useQuery(weekQuery(rule, threshold));
  const saved = valuesOf(threshold);
  const fits = draft && hasForm(draft, saved) ? draft : undefined;
  const [moving, setMoving] = useState<RuleValues>();
  const values = moving ?? fits ?? saved;
  const line = week.data && drawnLine(week.data, threshold).map(([, value]) => value);
  const range = sliderRange([...(line ?? [0]), ...allOf(saved)]);
  const settle = (next: RuleValues) => {
    setMoving(undefined);
    onDraft(rule.uid, sameValues(next, saved) ? undefined : next);
  };
  const control = { title: rule.title, range, values, settled: fits ?? saved, onMove: setMoving, onCommit: settle };
  return (
    <>
      <Stack direction="column" gap={0.5}>
        {saved.params.map((_, index) => (
          <ValueControl key={`params ${index}`} part="params" index={index} {...control} />
        ))}
        {saved.recovery?.map((_, index) => (
          <ValueControl key={`recovery ${index}`} part="recovery" index={index} {...control} />
        ))}
      </Stack>
      <Text tabular>{valuesSentence(threshold, values)}</Text>
      <RuleWeek week={week} rule={rule} threshold={threshold} values={values} saved={saved} />
      {rule.readOnly ? (
        <FileLine {...{ rule, threshold, values }} onDiscard={fits && (() => onDraft(rule.uid, undefined))} />
      ) : (
        <RuleSaving
          rule={rule}
          threshold={threshold}
          saved={saved}
          // Buttons that appear when the slider loses the focus would move away what is being clicked.
          draft={moving && !sameValues(moving, saved) ? moving : fits}
          onDraft={(next) => onDraft(rule.uid, next)}
        />
      )}
    </>
  );
}

const allOf = ({ params, recovery = [] }: RuleValues): number[] => [...params, ...recovery];

/** A draft of a rule whose condition has another form by now is not shown. */
const hasForm = (draft: RuleValues, { params, recovery }: RuleValues): boolean =>
  draft.params.length === params.length && draft.recovery?.length === recovery?.length;

interface ControlProps {
  title: string;
  part: 'params' | 'recovery';
  index: number;
  range: { min: number; max: number };
  values: RuleValues;
  settled: RuleValues;
  onMove: (values: RuleValues | undefined) => void;
  onCommit: (values: RuleValues) => void;
}

/** Slider and number field of one number. */
function ValueControl({ title, part, index, range, values, settled, onMove, onCommit }: ControlProps) {
  const all = values[part] ?? [];
  const value = all[index] ?? 0;
  const replaced = (next: number): RuleValues => ({
    ...values,
    [part]: all.map((one, at) => (at === index ? next : one)),
  });
  const gesture = useGesture({
    onMove: (next) => onMove(replaced(next)),
    onCommit: (next) => onCommit(replaced(next)),
    onCancel: () => onMove(undefined),
  });
  const label = sliderName(title, part, index, all.length);
  const props = { value, settled: settled[part]?.[index] ?? 0, ...range, unit: undefined, disabled: false, gesture };
  return (
    <Stack rowGap={1} columnGap={2.5} wrap alignItems="flex-start">
      <Box flex={{ xs: '1 0 100%', md: '0 0 110px' }} paddingTop={0.5}>
        <SecondaryText aria-hidden>{shortSliderName(part, index, all.length)}</SecondaryText>
      </Box>
      <Box flex="1 1 120px" minWidth={0} paddingTop={0.25}>
        <Slider {...props} label={label} />
      </Box>
      <Box flex="0 1 128px" minWidth="104px">
        <NumberField
          {...props}
          free
          label={t('thresholds.rules.slider.number', '{{name}}, as a number', { name: label })}
        />
      </Box>
    </Stack>
  );
}
