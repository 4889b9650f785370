import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { LinkButton, useStyles2 } from '@grafana/ui';
import type { PackageDetail } from '@nodebell/contract/package.ts';
import { backupAddress } from '../../api/packages';
import { t, Trans } from '../../i18n/t';
import { may } from '../../components/access';
import { Restore } from './Restore';
import { Line, lineList, Section } from './Section';

/** The files and folders that a backup of the package holds; where the bridge reaches them, the backup itself. */
export function Backup({ detail }: { detail: PackageDetail }) {
  const styles = useStyles2(getStyles);
  const { backup } = detail.facts;
  if (backup.length === 0) {
    return (
      <Section
        title={t('packages.backup.title', 'Backup')}
        empty={t('packages.backup.none', 'This package does not declare any backup files.')}
      />
    );
  }
  return (
    <Section title={t('packages.backup.contents', 'Backup contents')}>
      <ul className={lineList}>
        {backup.map(({ name, path, service }) => (
          <Line
            key={name}
            title={name}
            text={path}
            code
            end={service && t('packages.place.service', 'service {{service}}', { service })}
          />
        ))}
      </ul>
      {!detail.backupAvailable && (
        <p className={styles.quiet}>
          <Trans i18nKey="packages.backup.unreachable">
            The bridge cannot access these files. To enable backup and restore, set <code>files</code> to their
            directory in the provisioning YAML file of the package.
          </Trans>
        </p>
      )}
      {detail.backupAvailable && !may('bridge:admin') && (
        <p className={styles.quiet}>
          {t('packages.backup.admin', 'Only Grafana admins can download and restore backups.')}
        </p>
      )}
      {detail.backupAvailable && may('bridge:admin') && (
        <div className={styles.actions}>
          {/* With a target, or Grafana would take it for the address of a page. */}
          <LinkButton
            {...{ variant: 'secondary', icon: 'download-alt', target: '_self', download: '' }}
            href={backupAddress(detail.dnpName)}
          >
            {t('packages.backup.download', 'Download backup')}
          </LinkButton>
          <Restore detail={detail} />
        </div>
      )}
    </Section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  quiet: css({ color: theme.colors.text.secondary, margin: theme.spacing(1, 0, 0) }),
  actions: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1), marginTop: theme.spacing(1.5) }),
});
