import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';
import type { Leftover } from '@nodebell/contract/endpoint.ts';
import { t } from '../../i18n/t';
import { may } from '../../components/access';
import { NotSaved } from '../endpoint/Sign';
import { useOptimistic, useSavePackage } from '../useSaving';
import { figure } from '../messages';
import { List } from '../../components/List';

interface Props {
  dnpName: string;
  leftovers: readonly Leftover[];
}

/** Saved settings of endpoints that the package no longer has. */
export function Leftovers({ dnpName, leftovers }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.box}>
      <h3 className={styles.title}>{t('thresholds.leftovers.title', 'Saved settings of removed endpoints')}</h3>
      <List gap={0.5}>
        {leftovers.map((one) => (
          <LeftoverRow key={one.correlationId} dnpName={dnpName} one={one} />
        ))}
      </List>
    </div>
  );
}

function LeftoverRow({ dnpName, one }: { dnpName: string; one: Leftover }) {
  const { correlationId, detail, file } = one;
  const { shown: discarded, set, failure } = useOptimistic(false);
  const save = useSavePackage(dnpName);
  return (
    <li dir="auto">
      <strong>{correlationId}</strong>
      {` ${valueLabel(one)}. ${detail} `}
      {file === undefined && may('thresholds:write') && (
        <Button
          size="sm"
          variant="secondary"
          fill="text"
          icon="trash-alt"
          disabled={discarded}
          aria-label={t('thresholds.leftovers.forget-of', 'Discard saved settings of {{id}}', { id: correlationId })}
          onClick={() => set(true, () => save({ forget: [correlationId] }))}
        >
          {t('thresholds.leftovers.forget', 'Discard')}
        </Button>
      )}
      {failure && <NotSaved failure={failure} />}
    </li>
  );
}

const valueLabel = ({ enabled, threshold }: Leftover): string =>
  [
    enabled !== undefined && (enabled ? t('thresholds.leftovers.on', 'on') : t('thresholds.leftovers.off', 'off')),
    threshold !== undefined && t('thresholds.leftovers.threshold', 'threshold {{value}}', { value: figure(threshold) }),
  ]
    .filter(Boolean)
    .join(', ');

const getStyles = (theme: GrafanaTheme2) => ({
  box: css({
    padding: theme.spacing(1.5, 2),
    borderTop: `1px solid ${theme.colors.border.weak}`,
    fontSize: theme.typography.bodySmall.fontSize,
    color: theme.colors.text.secondary,
    overflowWrap: 'anywhere',
    strong: { color: theme.colors.text.primary, fontWeight: theme.typography.fontWeightMedium },
  }),
  title: css({ margin: theme.spacing(0, 0, 0.5), fontSize: 'inherit', fontWeight: theme.typography.fontWeightMedium }),
});
