import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, IconButton, Stack, useStyles2 } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Dependency, PackageDetail } from '@nodebell/contract/package.ts';
import { t } from '../../i18n/t';
import { StateText } from '../../components/StateText';
import { linkProps } from '../../components/links';
import { pathTo } from '../../routes';
import { packageQuery } from '../queries';
import { dependencyStatus } from '../messages';
import { Section } from './Section';
import { List } from '../../components/List';
import { SecondaryText } from '../../components/SecondaryText';

/** Dependency tree of a package; child dependencies load when expanded. */
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
  /** Package names from the root to this level, used to detect circular dependencies. */
  above: readonly string[];
}

const FIRST = 50;

function Branch({ dependencies, above }: BranchProps) {
  const rest = dependencies.length - FIRST;
  return (
    <List>
      {dependencies.slice(0, FIRST).map((dependency) => (
        <Node key={dependency.name} dependency={dependency} above={above} />
      ))}
      {rest > 0 && (
        <SecondaryText element="li">{t('packages.dependency.more', '{{n, number}} more', { n: rest })}</SecondaryText>
      )}
    </List>
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
      <Stack rowGap={0} columnGap={1} wrap alignItems="center" minHeight="28px">
        {registered !== undefined && !circular ? (
          <IconButton
            name={open ? 'angle-down' : 'angle-right'}
            aria-expanded={open}
            aria-label={t('packages.dependency.of', 'Dependencies of {{name}}', { name })}
            onClick={() => setOpen(!open)}
          />
        ) : (
          <Box element="span" width="20px" />
        )}
        {registered === undefined ? (
          <Box element="span" minWidth={0}>
            {name}
          </Box>
        ) : (
          <a className={styles.link} {...linkProps(pathTo.package(name))}>
            {name}
          </a>
        )}
        <code>{range}</code>
        <StateText {...dependencyStatus(dependency)} />
        {optional && <SecondaryText>{t('packages.dependency.optional', 'optional')}</SecondaryText>}
        {circular && <SecondaryText>{t('packages.dependency.circular', 'circular dependency')}</SecondaryText>}
      </Stack>
      {open && data && (
        <div className={styles.below}>
          {data.facts.dependencies.length === 0 ? (
            <SecondaryText>{t('packages.dependency.nothing', 'no dependencies')}</SecondaryText>
          ) : (
            <Branch dependencies={data.facts.dependencies} above={[...above, name]} />
          )}
        </div>
      )}
    </li>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  link: css({ minWidth: 0, color: theme.colors.text.link, textDecoration: 'underline' }),
  below: css({
    marginLeft: 7,
    paddingLeft: theme.spacing(2),
    borderLeft: `1px solid ${theme.colors.border.medium}`,
  }),
});
