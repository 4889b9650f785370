import { Alert, Box, Icon, type IconName, Stack, Text, useStyles2 } from '@grafana/ui';
import { t } from '../i18n/t';
import { toneStyles, type Tone } from '../components/StateText';
import { WithCode } from '../components/WithCode';
import type { Check, CheckState } from './checks';
import type { Diagnosis } from './diagnosis';
import { List } from '../components/List';

const STATE_ICONS: Record<CheckState, { icon: IconName; tone: Tone }> = {
  ok: { icon: 'check-circle', tone: 'success' },
  failed: { icon: 'times-circle', tone: 'error' },
  warned: { icon: 'exclamation-triangle', tone: 'warning' },
  unknown: { icon: 'question-circle', tone: 'secondary' },
  'not-reached': { icon: 'minus-circle', tone: 'secondary' },
};

const STATE_LABELS: Record<CheckState, () => string> = {
  ok: () => t('config.check.passed', 'passed'),
  failed: () => t('config.check.failed', 'failed'),
  warned: () => t('config.check.warning', 'warning'),
  unknown: () => t('config.check.unknown', 'unknown'),
  'not-reached': () => t('config.check.skipped', 'skipped'),
};

/** The cause, how to fix it, and the checks. */
export function ConnectionResult({ diagnosis: { severity, title, text, checks } }: { diagnosis: Diagnosis }) {
  return (
    <Alert severity={severity} role="status" title={title}>
      <Box marginBottom={1}>
        <WithCode text={text} />
      </Box>
      <List gap={0.5} aria-label={t('config.check.list', 'Checks')}>
        {checks.map((check) => (
          <CheckLine key={check.label} {...check} />
        ))}
      </List>
    </Alert>
  );
}

function CheckLine({ label, state, detail }: Check) {
  const tones = useStyles2(toneStyles);
  const { icon, tone } = STATE_ICONS[state];
  const quiet = state === 'not-reached' || state === 'unknown';
  return (
    <li data-state={state}>
      <Stack wrap alignItems="center" rowGap={0} columnGap={0.5}>
        <Icon name={icon} className={tones[tone]} title={STATE_LABELS[state]()} />
        <Box width="124px" shrink={0}>
          <Text color={quiet ? 'secondary' : 'primary'}>{label}</Text>
        </Box>
        <Box flex="1 1 0" minWidth="90px">
          <Text color="secondary">{detail}</Text>
        </Box>
      </Stack>
    </li>
  );
}
