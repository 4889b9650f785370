import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import type { BridgeStatus } from '@nodebell/contract/status.ts';
import { absoluteTime } from '../parts/moments';
import { duration } from '../parts/time';
import { plural } from '../parts/words';

const AUTH_WORDS: Record<BridgeStatus['auth'], string> = {
  'sender-open': 'Senders need no token, everything else the admin token',
  token: 'Senders need a token of theirs, everything else the admin token',
  none: 'Nobody needs a token',
};

/** What the bridge says of itself, as of its last answer. */
export function Health({ status }: { status: BridgeStatus }) {
  const styles = useStyles2(getStyles);
  const since = Date.parse(status.time) - Date.parse(status.startedAt);
  const facts: Array<[string, string]> = [
    ['Version', status.version],
    ['Runs for', duration(since)],
    ['Store', status.storeWritable ? 'Takes what arrives' : 'Cannot be written'],
    ['Last arrival', status.lastReceivedAt ? absoluteTime(status.lastReceivedAt) : 'Nothing has arrived yet'],
    ['Open pages', plural(status.pages, 'browser')],
    ['Access', AUTH_WORDS[status.auth]],
    ['Signed alerts', status.webhookSecret ? 'Asked for' : 'Not asked for: NODEBELL_WEBHOOK_SECRET is not set'],
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  facts: css({
    display: 'grid',
    gap: theme.spacing(0.5),
    margin: 0,
    '& > div': { display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0, 1) },
    dt: { width: 124, flex: 'none', fontWeight: 'normal', color: theme.colors.text.secondary },
    dd: { flex: '1 1 0', margin: 0, minWidth: 140, overflowWrap: 'anywhere' },
  }),
});
