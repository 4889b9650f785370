import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { useId } from 'react';
import type { Endpoint } from '@nodebell/contract/endpoint.ts';
import { t } from '../../i18n/t';
import { may } from '../../components/access';
import { NotSaved } from '../../thresholds/endpoint/NotSaved';
import { SwitchOrState } from '../../thresholds/endpoint/SwitchOrState';
import { When } from '../../thresholds/endpoint/When';
import { useOptimistic } from '../../thresholds/useOptimistic';
import { useSaveEndpoint } from '../../thresholds/useSaving';

/** One endpoint, without the description and sync state that the page shows. */
export function PanelRow({ dnpName, endpoint }: { dnpName: string; endpoint: Endpoint }) {
  const styles = useStyles2(getStyles);
  const id = useId();
  const { title, enabled, mutedBy } = endpoint;
  const { shown: on, set, failure } = useOptimistic(enabled.value);
  const saveEndpoint = useSaveEndpoint(dnpName, endpoint.correlationId);
  const save = may('thresholds:write') ? saveEndpoint : undefined;
  const mutedAbove = mutedBy.includes('package') || mutedBy.includes('category');
  return (
    <li className={styles.row} aria-labelledby={id} data-endpoint={endpoint.correlationId}>
      <div className={styles.head}>
        <span id={id} className={styles.title} dir="auto" title={title}>
          {title}
        </span>
        <div className={styles.switch}>
          <SwitchOrState
            label={t('thresholds.switch.notify-of', 'Notify about {{title}}', { title })}
            shown={on}
            disabled={mutedAbove || enabled.origin === 'provisioned'}
            onSwitch={save && ((next) => set(next, () => save({ enabled: next })))}
          />
        </div>
      </div>
      <When endpoint={endpoint} save={save} disabled={!on || mutedAbove} />
      {failure && <NotSaved failure={failure} />}
    </li>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  row: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(0.5),
    minWidth: 0,
    padding: theme.spacing(1, 0),
    '&:not(:last-child)': { borderBottom: `1px solid ${theme.colors.border.weak}` },
  }),
  head: css({ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: theme.spacing(1) }),
  switch: css({ flex: 'none' }),
  title: css({ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }),
});
