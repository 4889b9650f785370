import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Box, useStyles2 } from '@grafana/ui';
import { memo, useId } from 'react';
import type { Endpoint, EndpointPackage } from '@nodebell/contract/endpoint.ts';
import { t } from '../../i18n/t';
import { may } from '../../api/permissions';
import { EndpointRow } from '../endpoint/EndpointRow';
import { useSaveEndpoint } from '../useSaving';
import { mutingCategory } from '../messages';
import { CardHead } from './CardHead';
import { Leftovers } from './Leftovers';
import { List } from '../../components/List';
import { SecondaryText } from '../../components/SecondaryText';

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
        <Box key={`${file}:${line}:${column} ${detail}`} paddingX={2}>
          <Alert
            severity="warning"
            role="status"
            title={t('thresholds.card.place', '{{file}}, line {{line}}, column {{column}}', { file, line, column })}
          >
            {t('thresholds.card.problem', '{{detail}} The previous version stays in effect.', { detail })}
          </Alert>
        </Box>
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
          {hidden > 0 && (
            <Box paddingX={2} paddingBottom={1}>
              <SecondaryText>{hiddenMessage(hidden)}</SecondaryText>
            </Box>
          )}
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
});
