import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, Field, MultiCombobox, Switch, useStyles2 } from '@grafana/ui';
import type { Route } from '@nodebell/contract/channel.ts';
import { useState } from 'react';
import { t } from '../i18n/t';
import { RouteFields } from './RouteFields';
import { routeInWords } from './routeInWords';

interface EditorProps {
  route: Route;
  names: readonly string[];
  busy: boolean;
  onSave: (route: Route) => void;
  onCancel: () => void;
}

export function RouteEditor({ route: initial, names, busy, onSave, onCancel }: EditorProps) {
  const styles = useStyles2(getStyles);
  const [route, setRoute] = useState(initial);
  const options = [...new Set([...names, ...route.channels])].map((value) => ({ value, label: value }));
  return (
    <div className={styles.editor}>
      <Field label={t('channels.routes.channels', 'Channels')} required noMargin>
        <MultiCombobox
          id="nodebell-route-channels"
          placeholder={t('channels.routes.choose', 'Choose channels')}
          options={options}
          value={route.channels}
          onChange={(chosen) => setRoute({ ...route, channels: chosen.map(({ value }) => value) })}
        />
      </Field>
      <RouteFields id="nodebell-route" route={route} onChange={setRoute} />
      <Field label={t('channels.routes.continue', 'Try the next routes as well')} noMargin>
        <Switch
          id="nodebell-route-continue"
          value={route.continue ?? false}
          onChange={({ currentTarget }) => setRoute({ ...route, continue: currentTarget.checked })}
        />
      </Field>
      <p className={styles.text}>{routeInWords(route)}</p>
      <div className={styles.actions}>
        <Button disabled={busy || route.channels.length === 0} onClick={() => onSave(route)}>
          {t('channels.routes.save', 'Save route')}
        </Button>
        <Button variant="secondary" onClick={onCancel}>
          {t('channels.form.cancel', 'Cancel')}
        </Button>
      </div>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  text: css({ color: theme.colors.text.secondary, margin: 0 }),
  actions: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1) }),
  editor: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(2),
    padding: theme.spacing(2),
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
  }),
});
