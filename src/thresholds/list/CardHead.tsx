import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, Icon, LinkButton, useStyles2 } from '@grafana/ui';
import type { EndpointPackage } from '@nodebell/contract/endpoint.ts';
import { t } from '../../i18n/t';
import { may } from '../../api/permissions';
import { Avatar } from '../../components/Avatar';
import { packageIcon } from '../../components/icons';
import { linkProps } from '../../components/links';
import { StateText } from '../../components/StateText';
import { pathTo } from '../../routes';
import { NotSaved, Sign } from '../endpoint/Sign';
import { SwitchOrState } from '../endpoint/EndpointRow';
import { useOptimistic, useSavePackage } from '../useSaving';
import { mutingCategory, originMessage, packageSummary } from '../messages';
import { Disclosure } from '../../components/Disclosure';

interface Props {
  one: EndpointPackage;
  open: boolean;
  bodyId: string;
  onOpen: () => void;
}

/** Header of a package card: name, summary, switch, and the toggle to collapse it. */
export function CardHead({ one, open, bodyId, onOpen }: Props) {
  const styles = useStyles2(getStyles);
  const { dnpName, enabled, endpoints } = one;
  const { shown: on, set, failure } = useOptimistic(enabled.value);
  const save = useSavePackage(dnpName);
  const summary = packageSummary({ ...one, enabled: { ...enabled, value: on } });
  const muted = !on || mutingCategory(endpoints) !== undefined;
  return (
    <Box display="flex" direction="column" gap={1} paddingY={1.5} paddingX={2}>
      <Box display="flex" position="relative" alignItems="center" gap={1.5}>
        <Avatar icon={packageIcon(one)} dnpName={dnpName} size={32} />
        <Box flex={1} minWidth={0}>
          <h2 className={styles.name}>
            <Disclosure open={open} controls={bodyId} onToggle={onOpen}>
              <span dir="auto" title={dnpName}>
                {dnpName}
              </span>
              <Icon name={open ? 'angle-up' : 'angle-down'} />
            </Disclosure>
          </h2>
          <div className={styles.summary}>
            <StateText icon={muted ? 'bell-slash' : 'bell'} tone="secondary" text={summary} />
            <Pendings one={one} />
          </div>
        </Box>
        <div className={styles.above}>
          <LinkButton
            {...{ size: 'sm', variant: 'secondary', fill: 'text', icon: 'file-alt' }}
            aria-label={t('thresholds.card.package-of', 'Package {{name}}', { name: dnpName })}
            {...linkProps(pathTo.package(dnpName))}
          >
            {t('thresholds.card.package', 'Package')}
          </LinkButton>
          <SwitchOrState
            label={t('thresholds.card.notifications-of', 'Notifications from {{name}}', { name: dnpName })}
            shown={on}
            disabled={enabled.origin === 'provisioned'}
            onSwitch={may('thresholds:write') ? (next) => set(next, () => save({ enabled: next })) : undefined}
          />
        </div>
      </Box>
      {enabled.origin === 'provisioned' && <Sign icon="lock" tone="secondary" text={originMessage(enabled) ?? ''} />}
      {failure && <NotSaved failure={failure} />}
    </Box>
  );
}

const recommendationsLabel = (count: number): string =>
  t('thresholds.card.news', '', {
    count,
    defaultValue_one: '{{count, number}} new recommendation',
    defaultValue_other: '{{count, number}} new recommendations',
  });

/** Counts that are shown even if the card is collapsed. */
function Pendings({ one: { endpoints } }: { one: EndpointPackage }) {
  const pending = endpoints.filter(({ effects }) => effects.some(({ state }) => state === 'pending')).length;
  const recommendations = endpoints.filter(({ threshold }) => threshold?.recommends).length;
  return (
    <>
      {pending > 0 && (
        <StateText
          icon="hourglass"
          tone="warning"
          text={t('thresholds.card.pending', '', {
            count: pending,
            defaultValue_one: '{{count, number}} pending',
            defaultValue_other: '{{count, number}} pending',
          })}
        />
      )}
      {recommendations > 0 && <StateText icon="info-circle" tone="info" text={recommendationsLabel(recommendations)} />}
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  name: css({
    ...theme.typography.h5,
    margin: 0,
    '@container thresholds (max-width: 560px)': {
      fontSize: theme.typography.body.fontSize,
      fontWeight: theme.typography.fontWeightMedium,
    },
  }),
  // Above the button that covers the header.
  above: css({
    position: 'relative',
    zIndex: 1,
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    '@container thresholds (max-width: 560px)': { 'a > span': { display: 'none' } },
  }),
  summary: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0, 2), '& > span': { whiteSpace: 'normal' } }),
});
