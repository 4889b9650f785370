import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Icon, Switch, Text, useStyles2 } from '@grafana/ui';
import { useState } from 'react';
import { hasConsent, setConsent } from '../../extensions/toasts/consent';
import { t } from '../../i18n/t';

const ID = 'nodebell-toasts';

/** Turns critical notifications on all Grafana pages on or off, for this browser. */
export function OnEveryPage() {
  const styles = useStyles2(getStyles);
  const [on, setOn] = useState(hasConsent);
  const change = async (wanted: boolean) => {
    setConsent(wanted);
    setOn(wanted);
    const { beginToasts, endToasts } = await import(/* webpackChunkName: "toasts" */ '../../extensions/toasts/begin');
    if (wanted) {
      beginToasts();
    } else {
      endToasts();
    }
  };
  return (
    <li className={styles.channel}>
      <Icon name="apps" size="xl" />
      <label className={styles.words} htmlFor={ID}>
        <Text weight="medium">{t('inbox.channels.everywhere', 'All Grafana pages, in this browser')}</Text>
        <Text color="secondary" variant="bodySmall">
          {t(
            'inbox.channels.everywhere-text',
            'Show new critical notifications on every Grafana page, once across all tabs. This keeps a connection to the bridge open.'
          )}
        </Text>
      </label>
      <Switch id={ID} value={on} onChange={(event) => void change(event.currentTarget.checked)} />
    </li>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  channel: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(2) }),
  words: css({ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column', cursor: 'pointer' }),
});
