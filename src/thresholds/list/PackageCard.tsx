import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, useStyles2 } from '@grafana/ui';
import { memo, useId } from 'react';
import type { Endpoint, EndpointPackage } from '@nodebell/contract/endpoint.ts';
import { t } from '../../i18n/t';
import { may } from '../../components/access';
import { EndpointRow } from '../endpoint/EndpointRow';
import { useSaveEndpoint } from '../useSaving';
import { mutingCategory } from '../messages';
import { CardHead } from './CardHead';
import { Leftovers } from './Leftovers';
import { List } from '../../components/List';

interface Props {
  one: EndpointPackage;
  /** The endpoints to show. */
  endpoints: readonly Endpoint[];
  open: boolean;
  onOpen: (dnpName: string, open: boolean) => void;
}

/** A package with its switch and endpoints. */
export const PackageCard = memo(function PackageCard({ one, endpoints, open, onOpen }: Props) {
  const styles = useStyles2(getStyles);
  const id = useId();
  const { dnpName, problems, leftovers } = one;
  const hidden = one.endpoints.length - endpoints.length;
  const explained = !one.enabled.value || mutingCategory(one.endpoints) !== undefined;
  return (
    <li className={styles.card} data-package={dnpName}>
      <CardHead one={one} open={open} bodyId={id} onOpen={() => onOpen(dnpName, !open)} />
      {problems.map(({ file, line, column, detail }) => (
        <Alert
          key={`${file}:${line}:${column} ${detail}`}
          severity="warning"
          role="status"
          className={styles.problem}
          bottomSpacing={0}
          title={t('thresholds.card.place', '{{file}}, line {{line}}, column {{column}}', { file, line, column })}
        >
          {t('thresholds.card.problem', '{{detail}} The previous version stays in effect.', { detail })}
        </Alert>
      ))}
      {open && (
        <div id={id}>
          <List aria-label={t('thresholds.card.endpoints-of', 'Endpoints of {{name}}', { name: dnpName })}>
            {endpoints.map((endpoint) => (
              <ConnectedRow
                key={`${endpoint.kind} ${endpoint.correlationId}`}
                dnpName={dnpName}
                endpoint={endpoint}
                explained={explained}
              />
            ))}
          </List>
          {hidden > 0 && <p className={styles.hidden}>{hiddenMessage(hidden)}</p>}
          {leftovers.length > 0 && <Leftovers dnpName={dnpName} leftovers={leftovers} />}
        </div>
      )}
    </li>
  );
});

const hiddenMessage = (count: number): string =>
  t('thresholds.card.hidden', '', {
    count,
    defaultValue_one: '{{count, number}} more endpoint does not match the search.',
    defaultValue_other: '{{count, number}} more endpoints do not match the search.',
  });

/** Connects a row to the bridge. */
const ConnectedRow = memo(function ConnectedRow(props: { dnpName: string; endpoint: Endpoint; explained: boolean }) {
  const { dnpName, endpoint, explained } = props;
  const save = useSaveEndpoint(dnpName, endpoint.correlationId);
  return (
    <EndpointRow
      dnpName={dnpName}
      endpoint={endpoint}
      explained={explained}
      save={may('thresholds:write') ? save : undefined}
    />
  );
});

const getStyles = (theme: GrafanaTheme2) => ({
  card: css({
    minWidth: 0,
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
    background: theme.colors.background.canvas,
    contentVisibility: 'auto',
    containIntrinsicHeight: 'auto 68px',
  }),
  problem: css({ margin: theme.spacing(0, 2, 2) }),
  hidden: css({
    margin: 0,
    padding: theme.spacing(1, 2),
    borderTop: `1px solid ${theme.colors.border.weak}`,
    fontSize: theme.typography.bodySmall.fontSize,
    color: theme.colors.text.secondary,
  }),
});
