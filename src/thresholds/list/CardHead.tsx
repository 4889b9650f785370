import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, Icon, useStyles2 } from '@grafana/ui';
import type { EndpointPackage } from '@nodebell/contract/endpoint.ts';
import { t } from '../../i18n/t';
import { may } from '../../components/access';
import { Avatar } from '../../components/Avatar';
import { packageIcon } from '../../components/icons';
import { linkProps } from '../../components/links';
import { StateText } from '../../components/StateText';
import { pathTo } from '../../routes';
import { NotSaved, Sign } from '../endpoint/Sign';
import { SwitchOrState } from '../endpoint/EndpointRow';
import { useOptimistic, useSavePackage } from '../useSaving';
import { mutingCategory, originMessage, packageSummary } from '../messages';

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
            <button
              type="button"
              className={styles.toggle}
              aria-expanded={open}
              aria-controls={open ? bodyId : undefined}
              onClick={onOpen}
            >
              <span dir="auto" title={dnpName}>
                {dnpName}
              </span>
              <Icon name={open ? 'angle-up' : 'angle-down'} />
            </button>
          </h2>
          <div className={styles.summary}>
            <StateText icon={muted ? 'bell-slash' : 'bell'} tone="secondary" text={summary} />
            <Pendings one={one} />
          </div>
        </Box>
        <a
          className={styles.link}
          aria-label={t('thresholds.card.package-of', 'Package {{name}}', { name: dnpName })}
          {...linkProps(pathTo.package(dnpName))}
        >
          <Icon name="file-alt" size="sm" /> <span>{t('thresholds.card.package', 'Package')}</span>
        </a>
        <div className={styles.above}>
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
          text={t('thresholds.card.pending', '{{n, number}} pending', { n: pending })}
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
  // The whole header toggles the card; its other controls are layered above.
  toggle: css({
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(0.5),
    maxWidth: '100%',
    padding: 0,
    border: 'none',
    background: 'none',
    font: 'inherit',
    color: 'inherit',
    textAlign: 'start',
    '& > span': {
      display: '-webkit-box',
      WebkitLineClamp: 2,
      WebkitBoxOrient: 'vertical',
      overflow: 'hidden',
      overflowWrap: 'anywhere',
    },
    '& > svg': { flex: 'none', color: theme.colors.text.secondary },
    '&::after': { content: '""', position: 'absolute', inset: 0 },
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}`, outlineOffset: 2 },
  }),
  above: css({ position: 'relative', zIndex: 1, flex: 'none' }),
  summary: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0, 2), '& > span': { whiteSpace: 'normal' } }),
  link: css({
    position: 'relative',
    zIndex: 1,
    display: 'inline-flex',
    alignItems: 'center',
    gap: theme.spacing(0.75),
    padding: theme.spacing(0.5, 1),
    fontSize: theme.typography.bodySmall.fontSize,
    color: theme.colors.text.primary,
    borderRadius: theme.shape.radius.default,
    '&:hover': { background: theme.colors.action.hover },
    '@container thresholds (max-width: 560px)': { '& > span': { display: 'none' } },
  }),
});
