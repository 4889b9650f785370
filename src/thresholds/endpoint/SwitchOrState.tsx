import { Switch } from '@grafana/ui';
import { t } from '../../i18n/t';
import { Hidden } from '../../components/Hidden';
import { StateText } from '../../components/StateText';

interface Props {
  label: string;
  shown: boolean;
  /** Muted elsewhere, or provisioned. */
  disabled: boolean;
  /** Undefined if the user lacks permission: the state is then shown as text. */
  onSwitch: ((enabled: boolean) => void) | undefined;
}

export function SwitchOrState({ label, shown, disabled, onSwitch }: Props) {
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
