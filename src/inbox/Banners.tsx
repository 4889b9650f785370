import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { useState } from 'react';
import type { Notification } from '@nodebell/contract/notification.ts';
import { uncapitalised } from '../i18n/locale';
import { t } from '../i18n/t';
import { CallButton } from './CallButton';
import { AlertWithAction } from '../components/AlertWithAction';
import { plainText } from '../components/bodyText';
import { shortName } from '../components/messages';
import { burstOf } from '../components/bursts';
import { burstSign, newestLabel, rowTitle, stateSign } from '../components/threads';
import { topBanners } from './filter';
import { SmallButton } from '../components/SmallButton';

interface Props {
  banners: readonly Notification[];
  now: number;
  disabled: boolean;
  onOpen: (notification: Notification) => void;
  onDismiss: ((notification: Notification) => void) | undefined;
}

const SHOWN = 3;

/** Notifications that their sender marked as banners. */
export function Banners({ banners, now, disabled, onOpen, onDismiss }: Props) {
  const styles = useStyles2(getStyles);
  const [all, setAll] = useState(false);
  const sorted = topBanners(banners);
  const shown = all ? sorted : sorted.slice(0, SHOWN);
  const rest = sorted.length - SHOWN;
  return (
    <section className={styles.banners} aria-label={t('inbox.banner.list', 'Banners')}>
      {shown.map((banner) => (
        <AlertWithAction
          key={banner.id}
          role="status"
          severity={severityOf(banner)}
          title={rowTitle(banner)}
          bottomSpacing={1}
          onRemove={disabled || !onDismiss ? undefined : () => onDismiss(banner)}
          action={
            <>
              {banner.callToAction && !burstOf(banner) && <CallButton {...banner.callToAction} small />}
              <SmallButton fill="text" onClick={() => onOpen(banner)}>
                {t('inbox.banner.details', 'Details')}
              </SmallButton>
            </>
          }
        >
          <span className={styles.text} dir="auto">
            {burstOf(banner) ? newestLabel(banner) : plainText(firstParagraph(banner.body))}
          </span>{' '}
          <span className={styles.meta}>
            {[shortName(banner.dnpName), uncapitalised(stateOf(banner, now)?.text ?? '')].filter(Boolean).join(', ')}
          </span>
        </AlertWithAction>
      ))}
      {rest > 0 && (
        <SmallButton
          fill="text"
          icon={all ? 'angle-up' : 'angle-down'}
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          {all ? t('inbox.banner.fewer', 'Show fewer') : moreLabel(rest)}
        </SmallButton>
      )}
    </section>
  );
}

function severityOf(banner: Notification) {
  const priority = burstOf(banner)?.priority ?? banner.priority;
  return priority === 'critical' ? 'error' : priority === 'high' ? 'warning' : 'info';
}

function stateOf(banner: Notification, now: number) {
  const burst = burstOf(banner);
  return burst ? burstSign(banner, burst) : stateSign(banner.thread, now, 'long');
}

const moreLabel = (count: number): string =>
  t('inbox.banner.more', '', {
    count,
    defaultValue_one: '{{count, number}} more banner',
    defaultValue_other: '{{count, number}} more banners',
  });

/** A banner shows the first paragraph; the rest is in the detail. */
const firstParagraph = (body: string) => body.trim().split(/\n\s*\n/)[0] ?? '';

const getStyles = (theme: GrafanaTheme2) => ({
  banners: css({ marginBottom: theme.spacing(1), '&:empty': { display: 'none' } }),
  text: css({
    overflowWrap: 'anywhere',
    display: '-webkit-inline-box',
    WebkitLineClamp: 2,
    WebkitBoxOrient: 'vertical',
    overflow: 'hidden',
    verticalAlign: 'bottom',
  }),
  meta: css({ color: theme.colors.text.secondary }),
});
