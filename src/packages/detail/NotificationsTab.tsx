import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import type { PackageDetail } from '@nodebell/contract/package.ts';
import { t } from '../../i18n/t';
import { Endpoints } from '../Endpoints';
import { Recent } from './Recent';
import { Section } from './Section';

/** What a package tells of, and what it has told. */
export function NotificationsTab({ detail }: { detail: PackageDetail }) {
  const styles = useStyles2(getStyles);
  const { notifications } = detail;
  return (
    <div className={styles.column}>
      <Section
        title={t('packages.notifications.title', 'Notifications')}
        empty={notifications.length === 0 && t('packages.notifications.none', 'This package defines no notifications.')}
      >
        <Endpoints endpoints={notifications} />
      </Section>
      <Recent dnpName={detail.dnpName} limit={20} />
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  column: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(4), maxWidth: 760 }),
});
