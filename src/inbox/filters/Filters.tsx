import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, Button, Counter, FilterInput, Stack, useStyles2 } from '@grafana/ui';
import { memo, useEffect, useState, type RefObject } from 'react';
import type { Facets } from '@nodebell/contract/query.ts';
import { t } from '../../i18n/t';
import { ViewsMenu } from '../savedViews/ViewsMenu';
import type { SetView } from '../useInbox';
import { clearFilters, countFilters, hasFilters, type View } from '../view';
import { FilterFields } from './FilterFields';
import { SecondaryText } from '../../components/SecondaryText';
import { useLatest } from '../../components/useLatest';

interface Props {
  view: View;
  setView: SetView;
  facets: Facets | undefined;
  narrow: boolean;
  searchRef: RefObject<HTMLInputElement>;
}

/** The row of filters. On narrow screens all but the search collapse into a button. */
export const Filters = memo(function Filters({ view, setView, facets, narrow, searchRef }: Props) {
  const styles = useStyles2(getStyles);
  const [unfolded, setUnfolded] = useState(false);
  const count = countFilters(view);
  const clear = hasFilters(view) && (
    <Button variant="secondary" fill="text" icon="times" onClick={() => setView(clearFilters(view))}>
      {t('inbox.filter.clear', 'Clear')}
    </Button>
  );
  const views = <ViewsMenu view={view} setView={setView} narrow={narrow} />;
  return (
    <Stack
      wrap="wrap"
      alignItems="flex-start"
      minHeight={4}
      role="search"
      aria-label={t('inbox.filter.label', 'Filter notifications')}
    >
      <div className={narrow ? styles.narrowRow : styles.search}>
        <Search q={view.q} narrow={narrow} searchRef={searchRef} onChange={(q) => setView({ q })} />
        {narrow && (
          <Button variant="secondary" icon="filter" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
            {t('inbox.filter.filters', 'Filters')}
            {count > 0 && (
              <Box element="span" marginLeft={1}>
                <Counter value={count} variant="secondary" />
              </Box>
            )}
          </Button>
        )}
        {narrow && views}
      </div>
      {(!narrow || unfolded) && <FilterFields view={view} setView={setView} facets={facets} narrow={narrow} />}
      {!narrow && views}
      {(!narrow || unfolded) && clear}
      <MoreGroups count={(view.groupBy === '' ? facets?.moreCategories : facets?.moreGroups) ?? 0} />
    </Stack>
  );
});

/** Number of groups that the bridge does not list. */
function MoreGroups({ count }: { count: number }) {
  return (
    count > 0 && (
      <Box flex="1 0 100%">
        <SecondaryText>
          {t('inbox.group.more', '', {
            count,
            defaultValue_one: '{{count, number}} more group is not listed. Add filters to narrow the list.',
            defaultValue_other: '{{count, number}} more groups are not listed. Add filters to narrow the list.',
          })}
        </SecondaryText>
      </Box>
    )
  );
}

const TYPING_MS = 250;

/** The view follows the text after a pause in typing. A changed view replaces the text. */
function Search({
  q,
  narrow,
  searchRef,
  onChange,
}: {
  q: string;
  narrow: boolean;
  searchRef: Props['searchRef'];
  onChange: (q: string) => void;
}) {
  const [typed, setTyped] = useState(q);
  const [known, setKnown] = useState(q);
  if (q !== known) {
    setKnown(q);
    if (q !== typed.trim()) {
      setTyped(q);
    }
  }
  const latest = useLatest(onChange);
  useEffect(() => {
    const timer = setTimeout(() => typed.trim() !== q && latest.current(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, q, latest]);
  return (
    <FilterInput
      ref={searchRef}
      placeholder={
        narrow ? t('inbox.filter.search-short', 'Search') : t('inbox.filter.search', 'Search title, text or package')
      }
      aria-label={t('inbox.filter.search', 'Search title, text or package')}
      escapeRegex={false}
      value={typed}
      onChange={setTyped}
    />
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  search: css({ flex: '2 1 220px', minWidth: 0 }),
  narrowRow: css({
    flex: '1 0 100%',
    display: 'flex',
    gap: theme.spacing(1),
    '& > :first-child': { flex: 1, minWidth: 0 },
  }),
});
