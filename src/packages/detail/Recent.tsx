import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { explain } from '../../api/queryClient';
import { t } from '../../i18n/t';
import { stateSign } from '../../components/threads';
import { linkProps } from '../../components/links';
import { absoluteTime, listTime } from '../../components/moments';
import { StateText } from '../../components/StateText';
import { useNow } from '../../components/timers';
import { pathTo } from '../../routes';
import { recentQuery } from '../queries';
import { Section } from './Section';

/** The most recent notifications of a package. */
export function Recent({ dnpName, limit = 3 }: { dnpName: string; limit?: number }) {
  const styles = useStyles2(getStyles);
  const { data, error } = useQuery(recentQuery(dnpName, limit));
  const now = useNow();
  return (
    <Section
      title={t('packages.recent.title', 'Recent notifications')}
      empty={data?.length === 0 && t('packages.recent.none', 'No notifications yet.')}
    >
      {error && !data && (
        <p role="alert" className={styles.meta}>
          {explain(error)}
        </p>
      )}
      <ul className={styles.list}>
        {data?.map((one) => {
          const state = stateSign(one.thread, now, 'short');
          return (
            <li key={one.id} className={styles.row}>
              <a className={styles.title} dir="auto" {...linkProps(pathTo.notification(one.id))}>
                {one.title}
              </a>
              <span className={styles.meta}>
                {state && <StateText {...state} />}
                <time dateTime={one.timestamp} title={absoluteTime(one.timestamp)}>
                  {listTime(one.timestamp, now)}
                </time>
              </span>
            </li>
          );
        })}
      </ul>
      {data && data.length > 0 && (
        <a className={styles.all} {...linkProps(pathTo.inboxOf(dnpName))}>
          {t('packages.recent.all', 'View all in inbox')}
        </a>
      )}
    </Section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  list: css({ listStyle: 'none', display: 'flex', flexDirection: 'column', gap: theme.spacing(1) }),
  row: css({ display: 'flex', flexDirection: 'column', minWidth: 0 }),
  title: css({
    color: theme.colors.text.primary,
    overflowWrap: 'anywhere',
    '&:hover': { textDecoration: 'underline' },
  }),
  meta: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(0, 1.5),
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
    fontVariantNumeric: 'tabular-nums',
  }),
  all: css({ display: 'inline-block', marginTop: theme.spacing(1), color: theme.colors.text.link }),
});
