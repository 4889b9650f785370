import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import type { PackageSummary } from '@nodebell/contract/package.ts';
import { StateText } from '../components/StateText';
import { statusItems } from './messages';

/** Status of a package: findings, missing dependencies and origin. */
export function StatusItems({ summary }: { summary: PackageSummary }) {
  const styles = useStyles2(getStyles);
  return (
    <span className={styles.signs}>
      {statusItems(summary).map((sign) => (
        <StateText key={sign.text} {...sign} />
      ))}
    </span>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  signs: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0.5, 2) }),
});
