import { css } from '@emotion/css';
import { InlineSwitch, Stack } from '@grafana/ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { categoriesQuery, setCategory } from '../../api/notifications';
import { t } from '../../i18n/t';
import { may } from '../../api/permissions';
import { StateText } from '../../components/StateText';
import { categoryName } from '../../components/messages';
import { NotSaved } from '../endpoint/Sign';
import { thresholdsKey } from '../queries';
import { useOptimistic } from '../useSaving';
import { SmallButton } from '../../components/SmallButton';

/** Switches shown beside the search; the others expand on request. */
const SHOWN = 5;

/** A switch for each category of the endpoints, shared with the inbox. */
export function CategorySwitches({ categories }: { categories: readonly string[] }) {
  const [all, setAll] = useState(false);
  const { data } = useQuery(categoriesQuery());
  const states = new Map(data?.map(({ category, enabled }) => [category, enabled]));
  // Categories that are off explain missing notifications, so they are always shown.
  const shown = categories.filter(
    (category, index) => all || categories.length <= SHOWN + 1 || index < SHOWN || states.get(category) === false
  );
  const more = categories.length - shown.length;
  return (
    <Stack
      wrap
      alignItems="center"
      minWidth={0}
      role="group"
      aria-label={t('thresholds.categories.label', 'Categories')}
    >
      {data &&
        shown.map((category) => (
          <CategorySwitch key={category} category={category} enabled={states.get(category) ?? true} />
        ))}
      {data && more > 0 && (
        <SmallButton fill="text" onClick={() => setAll(true)}>
          {t('thresholds.categories.more', '{{n, number}} more', { n: more })}
        </SmallButton>
      )}
    </Stack>
  );
}

function CategorySwitch({ category, enabled }: { category: string; enabled: boolean }) {
  const client = useQueryClient();
  const { shown, set, failure } = useOptimistic(enabled);
  const name = categoryName(category);
  const save = async (next: boolean) => {
    await setCategory(category, next);
    await client.invalidateQueries({ queryKey: categoriesQuery().queryKey });
    void client.invalidateQueries({ queryKey: thresholdsKey });
  };
  if (!may('inbox:write')) {
    return (
      <StateText
        icon={shown ? 'bell' : 'bell-slash'}
        tone="secondary"
        text={shown ? name : t('thresholds.categories.off', '{{name}} is off', { name })}
      />
    );
  }
  return (
    <div className={styles.one}>
      <InlineSwitch
        label={name}
        showLabel
        value={shown}
        onChange={({ currentTarget }) => {
          const next = currentTarget.checked;
          set(next, () => save(next));
        }}
      />
      {failure && <NotSaved failure={failure} />}
    </div>
  );
}

const styles = {
  one: css({
    minWidth: 0,
    maxWidth: '100%',
    // Keeps the switch visible beside long category names.
    '& label': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', maxWidth: 260 },
  }),
};
