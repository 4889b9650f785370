import { Switch } from '@grafana/ui';
import { t } from '../../i18n/t';
import { Hidden } from '../../components/Hidden';
import { StateText } from '../../components/StateText';

interface Props {
  label: string;
  shown: boolean;
  /** Something else mutes it, or a file decides. */
  disabled: boolean;
  /** Undefined where the user may not: the state is then said, not offered. */
  onSwitch: ((enabled: boolean) => void) | undefined;
}

export function SwitchOrWord({ label, shown, disabled, onSwitch }: Props) {
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
