import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { IconButton, useStyles2 } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Dependency, PackageDetail } from '@nodebell/contract/package.ts';
import { t } from '../../i18n/t';
import { StateText } from '../../components/StateText';
import { linkProps } from '../../components/links';
import { pathTo } from '../../routes';
import { packageQuery } from '../queries';
import { dependencySign } from '../words';
import { Section } from './Section';

/** What a package needs, and, unfolded, what that needs. */
export function Dependencies({ detail }: { detail: PackageDetail }) {
  const { dependencies } = detail.facts;
  return (
    <Section
      title={t('packages.dependency.title', 'Dependencies')}
      empty={dependencies.length === 0 && t('packages.dependency.none', 'No dependencies.')}
    >
      <Branch dependencies={dependencies} above={[detail.dnpName]} />
    </Section>
  );
}

interface BranchProps {
  dependencies: readonly Dependency[];
  /** The names from the root down to here: what comes again among them goes round in a circle. */
  above: readonly string[];
}

const FIRST = 50;

function Branch({ dependencies, above }: BranchProps) {
  const styles = useStyles2(getStyles);
  const rest = dependencies.length - FIRST;
  return (
    <ul className={styles.branch}>
      {dependencies.slice(0, FIRST).map((dependency) => (
        <Node key={dependency.name} dependency={dependency} above={above} />
      ))}
      {rest > 0 && <li className={styles.quiet}>{t('packages.dependency.more', '{{n, number}} more', { n: rest })}</li>}
    </ul>
  );
}

function Node({ dependency, above }: { dependency: Dependency; above: readonly string[] }) {
  const styles = useStyles2(getStyles);
  const [open, setOpen] = useState(false);
  const { name, range, optional, registered } = dependency;
  const circular = above.includes(name);
  const { data } = useQuery({ ...packageQuery(name), enabled: open });
  return (
    <li>
      <div className={styles.node}>
        {registered !== undefined && !circular ? (
          <IconButton
            name={open ? 'angle-down' : 'angle-right'}
            aria-expanded={open}
            aria-label={t('packages.dependency.of', 'Dependencies of {{name}}', { name })}
            onClick={() => setOpen(!open)}
          />
        ) : (
          <span className={styles.noFold} />
        )}
        {registered === undefined ? (
          <span className={styles.name}>{name}</span>
        ) : (
          <a className={styles.link} {...linkProps(pathTo.package(name))}>
            {name}
          </a>
        )}
        <code>{range}</code>
        <StateText {...dependencySign(dependency)} />
        {optional && <span className={styles.quiet}>{t('packages.dependency.optional', 'optional')}</span>}
        {circular && <span className={styles.quiet}>{t('packages.dependency.circular', 'circular dependency')}</span>}
      </div>
      {open && data && (
        <div className={styles.below}>
          {data.facts.dependencies.length === 0 ? (
            <span className={styles.quiet}>{t('packages.dependency.nothing', 'no dependencies')}</span>
          ) : (
            <Branch dependencies={data.facts.dependencies} above={[...above, name]} />
          )}
        </div>
      )}
    </li>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  branch: css({ listStyle: 'none' }),
  node: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(0, 1),
    minHeight: 28,
    overflowWrap: 'anywhere',
  }),
  noFold: css({ width: 20 }),
  name: css({ minWidth: 0 }),
  link: css({ minWidth: 0, color: theme.colors.text.link, textDecoration: 'underline' }),
  below: css({
    marginLeft: 7,
    paddingLeft: theme.spacing(2),
    borderLeft: `1px solid ${theme.colors.border.medium}`,
  }),
  quiet: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize }),
});
