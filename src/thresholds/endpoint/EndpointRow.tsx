import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, Stack, Switch, Text, useStyles2 } from '@grafana/ui';
import { memo, useId } from 'react';
import type { Endpoint, EndpointPatch } from '@nodebell/contract/endpoint.ts';
import { t } from '../../i18n/t';
import { categoryName } from '../../components/messages';
import { AuthorMarkdown } from '../../components/AuthorMarkdown';
import { useOptimistic } from '../useSaving';
import { deliveryLabel, originMessage } from '../messages';
import { Effects } from './Effects';
import { NotSaved, Sign } from './Sign';
import { When } from './Threshold';
import { Hidden } from '../../components/Hidden';
import { StateText } from '../../components/StateText';
import { SecondaryText } from '../../components/SecondaryText';

interface Props {
  /** Set for registered packages, whose history of values is available. */
  dnpName?: string | undefined;
  endpoint: Endpoint;
  /** Undefined if the user lacks permission. */
  save: ((patch: EndpointPatch) => Promise<unknown>) | undefined;
  /** The package header already shows what mutes it. */
  explained: boolean;
}

/** One endpoint: description, switch, threshold and sync state. */
export const EndpointRow = memo(function EndpointRow({ dnpName, endpoint, save, explained }: Props) {
  const styles = useStyles2(getStyles);
  const id = useId();
  const { title, description, mutedBy, enabled } = endpoint;
  const { shown: on, set, failure } = useOptimistic(enabled.value);
  const mutedAbove = mutedBy.includes('package') || mutedBy.includes('category');
  const onSwitch = save && ((next: boolean) => set(next, () => save({ enabled: next })));
  return (
    <li className={styles.row} data-endpoint={endpoint.correlationId} aria-labelledby={id}>
      <Stack gap={1.5} minWidth={0}>
        <Box shrink={0} paddingTop={0.25}>
          <SwitchOrState
            label={t('thresholds.switch.notify-of', 'Notify about {{title}}', { title })}
            shown={on}
            disabled={mutedAbove || enabled.origin === 'provisioned'}
            onSwitch={onSwitch}
          />
        </Box>
        <Stack direction="column" gap={0.25} flex={1} minWidth={0}>
          <Text element="h3" id={id} variant="h6" color={!on || mutedAbove ? 'secondary' : 'primary'} dir="auto">
            {title}
          </Text>
          {description && (
            <Box maxWidth="520px">
              <SecondaryText>
                <AuthorMarkdown text={description} />
              </SecondaryText>
            </Box>
          )}
          <SecondaryText>{deliveryLabel(endpoint)}</SecondaryText>
        </Stack>
      </Stack>
      <Stack direction="column" gap={0.5} minWidth={0} maxWidth="640px">
        <When dnpName={dnpName} endpoint={endpoint} save={save} disabled={!on || mutedAbove} />
        {!explained && <Muted endpoint={endpoint} />}
        {failure && <NotSaved failure={failure} />}
        <Origins endpoint={endpoint} />
        <Effects endpoint={endpoint} />
      </Stack>
    </li>
  );
});

function Muted({ endpoint: { mutedBy, category } }: Pick<Props, 'endpoint'>) {
  return mutedBy.includes('category') && category ? (
    <Sign
      icon="bell-slash"
      tone="secondary"
      text={t('thresholds.switch.muted-by-category', 'Muted by category {{category}}', {
        category: categoryName(category),
      })}
    />
  ) : null;
}

/** Provisioned values can only be changed in their file. */
function Origins({ endpoint: { enabled, threshold } }: Pick<Props, 'endpoint'>) {
  const files = new Set(
    [enabled, threshold].flatMap((value) => (value?.origin === 'provisioned' ? [originMessage(value)] : []))
  );
  return <>{[...files].map((text) => text && <Sign key={text} icon="lock" tone="secondary" text={text} />)}</>;
}

const getStyles = (theme: GrafanaTheme2) => ({
  row: css({
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gap: theme.spacing(1.5, 4),
    padding: theme.spacing(2),
    borderTop: `1px solid ${theme.colors.border.weak}`,
    '@container thresholds (min-width: 640px)': { gridTemplateColumns: 'minmax(0, 4fr) minmax(0, 6fr)' },
  }),
});

interface SwitchOrStateProps {
  label: string;
  shown: boolean;
  /** Muted elsewhere, or provisioned. */
  disabled: boolean;
  /** Undefined if the user lacks permission: the state is then shown as text. */
  onSwitch: ((enabled: boolean) => void) | undefined;
}

export function SwitchOrState({ label, shown, disabled, onSwitch }: SwitchOrStateProps) {
  if (onSwitch) {
    return (
      <Switch
        aria-label={label}
        value={shown}
        disabled={disabled}
        onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
      />
    );
  }
  return (
    <>
      <Hidden>{label}</Hidden>
      <StateText
        icon={shown ? 'bell' : 'bell-slash'}
        tone="secondary"
        text={shown ? t('thresholds.switch.on', 'On') : t('thresholds.switch.off', 'Off')}
      />
    </>
  );
}
