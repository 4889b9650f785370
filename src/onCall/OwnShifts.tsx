import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { ownShiftsQuery } from '../api/schedules';
import { soonLabel } from '../components/moments';
import { PageLink } from '../components/PageLink';
import { useNow } from '../components/timers';
import { t } from '../i18n/t';
import { pathTo } from '../routes';

/** "You are on call: database, until Mon 09:00"; nothing for others. @param narrow with room for two words */
export default function OwnShifts({ narrow }: { narrow: boolean }) {
  const { data: [first, ...others] = [] } = useQuery(ownShiftsQuery);
  const now = useNow();
  const styles = useStyles2(getStyles);
  if (!first) {
    return null;
  }
  const texts = [first, ...others].map(({ schedule, until }) =>
    until === null
      ? schedule
      : t('on-call.own.until', '{{schedule}}, until {{time}}', { schedule, time: soonLabel(until, now) })
  );
  const full = t('on-call.own.all', 'You are on call: {{schedules}}', { schedules: texts.join('; ') });
  return (
    <PageLink href={pathTo.onCall} subtle aria-label={full} title={full}>
      <span className={styles.note}>
        <Icon name="user" size="sm" />
        <span>{narrow ? t('on-call.own.short', 'On call') : full}</span>
      </span>
    </PageLink>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  note: css({
    display: 'inline-flex',
    alignItems: 'center',
    height: theme.spacing(4),
    gap: theme.spacing(0.5),
    fontSize: theme.typography.bodySmall.fontSize,
    '& > svg, & > div': { flex: 'none', color: theme.colors.success.text },
    '& > span': { maxWidth: 360, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  }),
});
