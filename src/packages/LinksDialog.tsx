import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { FilterInput, Icon, useStyles2 } from '@grafana/ui';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createQueryClient } from '../api/queryClient';
import { t } from '../i18n/t';
import { Avatar } from '../components/Avatar';
import { packageIcon } from '../components/icons';
import { linkProps } from '../components/links';
import { shortName } from '../components/messages';
import { allLinks, findLinks, type PlacedLink } from './allLinks';
import { linkSign } from './links';
import { packagesQuery } from './queries';

interface Props {
  onDismiss: (() => void) | undefined;
}

/** Every link of every package, to be searched and opened. It stands outside of the app's pages. */
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
  const [words, setWords] = useState('');
  const found = data && findLinks(allLinks(data), words);
  return (
    <div className={styles.dialog}>
      <FilterInput
        autoFocus
        value={words}
        onChange={setWords}
        placeholder={t('packages.links.search', 'Search packages and links')}
        aria-label={t('packages.links.search', 'Search packages and links')}
        escapeRegex={false}
      />
      <p className={styles.note} role="status">
        {error && t('packages.links.failed', 'Could not load the packages: {{message}}', { message: error.message })}
        {!error && !found && t('packages.links.loading', 'Loading…')}
        {found?.length === 0 &&
          (words
            ? t('packages.links.no-match', 'No links found.')
            : t('packages.links.none', 'No packages registered.'))}
      </p>
      <ul className={styles.list} aria-label={t('packages.links.list', 'Links')}>
        {found?.map((link) => (
          <Row key={`${link.dnpName} ${link.kind} ${link.key}`} link={link} onOpen={onDismiss} />
        ))}
      </ul>
    </div>
  );
}

function Row({ link, onOpen }: { link: PlacedLink; onOpen: (() => void) | undefined }) {
  const styles = useStyles2(getStyles);
  const props = linkProps(link.url);
  const { icon, long } = linkSign(link);
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
        <span className={styles.name} dir="auto">
          {shortName(link.dnpName)}
        </span>
        <span className={styles.word} dir="auto">
          {icon && <Icon name={icon} />} {long}
        </span>
        <span className={styles.url}>{link.url}</span>
      </a>
    </li>
  ) : null;
}

const getStyles = (theme: GrafanaTheme2) => ({
  dialog: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1), minWidth: 0 }),
  note: css({ margin: 0, color: theme.colors.text.secondary, '&:empty': { display: 'none' } }),
  list: css({ listStyle: 'none', maxHeight: '50vh', overflowY: 'auto' }),
  link: css({
    display: 'grid',
    gridTemplateColumns: '24px minmax(0, 1fr) minmax(0, 1fr)',
    alignItems: 'center',
    columnGap: theme.spacing(1),
    padding: theme.spacing(0.75, 1),
    borderRadius: theme.shape.radius.default,
    color: theme.colors.text.primary,
    '&:hover': { background: theme.colors.action.hover },
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}`, outlineOffset: -2 },
    '& > span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  }),
  name: css({ fontWeight: theme.typography.fontWeightMedium }),
  word: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(0.5) }),
  url: css({
    gridColumn: '2 / -1',
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
  }),
});
