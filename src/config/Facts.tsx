import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

/** Names and values, one pair per line. */
export function Facts({ facts, label }: { facts: ReadonlyArray<readonly [string, string]>; label?: string }) {
  const styles = useStyles2(getStyles);
  return (
    <dl className={styles.facts} aria-label={label}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  facts: css({
    display: 'grid',
    gap: theme.spacing(0.5),
    margin: 0,
    '& > div': { display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0, 1) },
    dt: { width: 124, flex: 'none', fontWeight: 'normal', color: theme.colors.text.secondary },
    dd: { flex: '1 1 0', margin: 0, minWidth: 140 },
  }),
});
