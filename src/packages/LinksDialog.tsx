import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, FilterInput, Icon, Stack, Text, useStyles2 } from '@grafana/ui';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createQueryClient } from '../api/queryClient';
import { t } from '../i18n/t';
import { Avatar } from '../components/Avatar';
import { packageIcon } from '../components/icons';
import { linkProps } from '../components/links';
import { shortName } from '../components/messages';
import { allLinks, findLinks, type PlacedLink, linkLabel } from '../components/packageLinks';
import { packagesQuery } from '../api/packages';
import { SecondaryText } from '../components/SecondaryText';

interface Props {
  onDismiss: (() => void) | undefined;
}

/** Searchable list of all package links. Rendered outside of the app's pages. */
export default function LinksDialog(props: Props) {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <Links {...props} />
    </QueryClientProvider>
  );
}

function Links({ onDismiss }: Props) {
  const styles = useStyles2(getStyles);
  const { data, error } = useQuery(packagesQuery());
  const [query, setQuery] = useState('');
  const found = data && findLinks(allLinks(data), query);
  return (
    <Stack direction="column" minWidth={0}>
      <FilterInput
        autoFocus
        value={query}
        onChange={setQuery}
        placeholder={t('packages.links.search', 'Search packages and links')}
        aria-label={t('packages.links.search', 'Search packages and links')}
        escapeRegex={false}
      />
      <p className={styles.note} role="status">
        {error && t('packages.links.failed', 'Could not load the packages: {{message}}', { message: error.message })}
        {!error && !found && t('packages.links.loading', 'Loading…')}
        {found?.length === 0 &&
          (query
            ? t('packages.links.no-match', 'No links found.')
            : t('packages.links.none', 'No packages registered.'))}
      </p>
      <ul className={styles.list} aria-label={t('packages.links.list', 'Links')}>
        {found?.map((link) => (
          <Row key={`${link.dnpName} ${link.kind} ${link.key}`} link={link} onOpen={onDismiss} />
        ))}
      </ul>
    </Stack>
  );
}

function Row({ link, onOpen }: { link: PlacedLink; onOpen: (() => void) | undefined }) {
  const styles = useStyles2(getStyles);
  const props = linkProps(link.url);
  const { icon, long } = linkLabel(link);
  return props ? (
    <li>
      <a
        className={styles.link}
        {...props}
        onClick={(event) => {
          props.onClick?.(event);
          onOpen?.();
        }}
      >
        <Avatar icon={packageIcon(link)} dnpName={link.dnpName} size={24} />
        <Text weight="medium" dir="auto">
          {shortName(link.dnpName)}
        </Text>
        <Box element="span" display="flex" alignItems="center" gap={0.5} dir="auto">
          {icon && <Icon name={icon} />} {long}
        </Box>
        <SecondaryText>{link.url}</SecondaryText>
      </a>
    </li>
  ) : null;
}

const getStyles = (theme: GrafanaTheme2) => ({
  note: css({ margin: 0, color: theme.colors.text.secondary, '&:empty': { display: 'none' } }),
  list: css({ listStyle: 'none', maxHeight: '50vh', overflowY: 'auto' }),
  link: css({
    display: 'grid',
    gridTemplateColumns: '24px minmax(0, 1fr) minmax(0, 1fr)',
    '& > :last-child': { gridColumn: '2 / -1' },
    alignItems: 'center',
    columnGap: theme.spacing(1),
    padding: theme.spacing(0.75, 1),
    borderRadius: theme.shape.radius.default,
    color: theme.colors.text.primary,
    '&:hover': { background: theme.colors.action.hover },
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}`, outlineOffset: -2 },
    '& > span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  }),
});
