import { Box, Text } from '@grafana/ui';
import type { Leftover } from '@nodebell/contract/endpoint.ts';
import { t } from '../../i18n/t';
import { may } from '../../api/permissions';
import { NotSaved } from '../endpoint/Sign';
import { useOptimistic, useSavePackage } from '../useSaving';
import { figure } from '../messages';
import { List } from '../../components/List';
import { SecondaryText } from '../../components/SecondaryText';
import { SmallButton } from '../../components/SmallButton';

interface Props {
  dnpName: string;
  leftovers: readonly Leftover[];
}

/** Saved settings of endpoints that the package no longer has. */
export function Leftovers({ dnpName, leftovers }: Props) {
  return (
    <Box paddingX={2} paddingBottom={2}>
      <SecondaryText element="h3" weight="medium">
        {t('thresholds.leftovers.title', 'Saved settings of removed endpoints')}
      </SecondaryText>
      <List gap={0.5}>
        {leftovers.map((one) => (
          <LeftoverRow key={one.correlationId} dnpName={dnpName} one={one} />
        ))}
      </List>
    </Box>
  );
}

function LeftoverRow({ dnpName, one }: { dnpName: string; one: Leftover }) {
  const { correlationId, detail, file } = one;
  const { shown: discarded, set, failure } = useOptimistic(false);
  const save = useSavePackage(dnpName);
  return (
    <SecondaryText element="li" dir="auto">
      <Text color="primary" weight="medium">
        {correlationId}
      </Text>
      {` ${valueLabel(one)}. ${detail} `}
      {file === undefined && may('thresholds:write') && (
        <SmallButton
          fill="text"
          icon="trash-alt"
          disabled={discarded}
          aria-label={t('thresholds.leftovers.forget-of', 'Discard saved settings of {{id}}', { id: correlationId })}
          onClick={() => set(true, () => save({ forget: [correlationId] }))}
        >
          {t('thresholds.leftovers.forget', 'Discard')}
        </SmallButton>
      )}
      {failure && <NotSaved failure={failure} />}
    </SecondaryText>
  );
}

const valueLabel = ({ enabled, threshold }: Leftover): string =>
  [
    enabled !== undefined && (enabled ? t('thresholds.leftovers.on', 'on') : t('thresholds.leftovers.off', 'off')),
    threshold !== undefined && t('thresholds.leftovers.threshold', 'threshold {{value}}', { value: figure(threshold) }),
  ]
    .filter(Boolean)
    .join(', ');
