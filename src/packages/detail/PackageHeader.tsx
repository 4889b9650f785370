import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import type { PackageSummary } from '@nodebell/contract/package.ts';
import { t } from '../../i18n/t';
import { Avatar } from '../../components/Avatar';
import { packageIcon } from '../../components/icons';
import { StateText } from '../../components/StateText';
import { Tags } from '../Tags';
import { versionWords } from '../words';

interface Props {
  dnpName: string;
  /** Undefined while it is being loaded, and when there is none. */
  summary: Pick<PackageSummary, 'icon' | 'version' | 'upstreamVersion' | 'categories' | 'type' | 'origin'> | undefined;
}

const provisionedBy = (file: string | undefined): string =>
  file === undefined
    ? t('packages.origin.some-file', 'Provisioned from a file')
    : t('packages.origin.file', 'Provisioned from {{file}}', { file });

/** The title of a package's page. */
export function PackageHeader({ dnpName, summary }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.header}>
      <Avatar icon={packageIcon({ dnpName, icon: summary?.icon })} dnpName={dnpName} size={56} />
      <div className={styles.names}>
        <h1 className={styles.title} dir="auto">
          {dnpName}
        </h1>
        {summary && (
          <div className={styles.line}>
            <span className={styles.version} dir="auto" title={versionWords(summary)}>
              {versionWords(summary)}
            </span>
            <Tags words={[...summary.categories, summary.type]} />
            {summary.origin.kind === 'file' && (
              <StateText icon="lock" tone="secondary" text={provisionedBy(summary.origin.file)} />
            )}
          </div>
        )}
      </div>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  header: css({ display: 'flex', gap: theme.spacing(2), alignItems: 'flex-start', minWidth: 0 }),
  names: css({ minWidth: 0, flex: 1 }),
  title: css({
    ...theme.typography.h2,
    margin: 0,
    overflowWrap: 'anywhere',
    display: '-webkit-box',
    WebkitLineClamp: 3,
    WebkitBoxOrient: 'vertical',
    overflow: 'hidden',
  }),
  line: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(0.5, 1.5),
    marginTop: theme.spacing(0.5),
    color: theme.colors.text.secondary,
  }),
  // A package that wraps several programs lists all of their versions; they are whole among its facts.
  version: css({
    maxWidth: '36ch',
    fontVariantNumeric: 'tabular-nums',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  }),
});
