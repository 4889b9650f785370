import { css } from '@emotion/css';
import { Button, Alert, Field, MultiCombobox, Stack, Switch, Text } from '@grafana/ui';
import type { ChannelStatus, Route } from '@nodebell/contract/channel.ts';
import { useState } from 'react';
import { Bordered } from '../components/Bordered';
import { useFocusOnMount } from '../components/useFocusOnMount';
import { t } from '../i18n/t';
import type { BridgeError } from '../api/errors';
import { invalidMembers, RouteFields } from './RouteFields';
import { leadsTo, routeInWords } from './routeInWords';
import { routeRule } from './texts';
import { Failure } from '../components/Failure';
import { PendingButton } from '../components/PendingButton';

interface EditorProps {
  route: Route;
  channels: ReadonlyArray<Pick<ChannelStatus, 'name' | 'type' | 'quietHours' | 'passing'>>;
  /** Whether it is no longer among the routes. */
  isGone: boolean;
  busy: boolean;
  /** Error of the last attempt to save. */
  error: BridgeError | null;
  onSave: (route: Route) => void;
  onCancel: () => void;
}

export function RouteEditor({ route: initial, channels, isGone, busy, error, onSave, onCancel }: EditorProps) {
  const box = useFocusOnMount<HTMLDivElement>();
  const { route, setRoute, options, chosen, invalid, save } = useRoute({ route: initial, channels, busy, onSave });
  return (
    <div ref={box} tabIndex={-1} role="group" aria-label={t('channels.routes.editor', 'Route')} className={editor}>
      <Bordered display="flex" direction="column" gap={2} padding={2}>
        <Field
          label={t('channels.routes.channels', 'Channels')}
          required
          invalid={invalid.includes('channels')}
          error={routeRule('channels')}
          noMargin
        >
          <MultiCombobox
            id="nodebell-route-channels"
            placeholder={t('channels.routes.choose', 'Choose channels')}
            options={options}
            value={route.channels}
            onChange={(options) => setRoute({ ...route, channels: options.map(({ value }) => value) })}
          />
        </Field>
        <RouteFields
          id="nodebell-route"
          route={route}
          types={chosen.map(({ type }) => type)}
          invalid={invalid}
          onChange={setRoute}
        />
        <Field label={t('channels.routes.continue', 'Try the next routes as well')} noMargin>
          <Switch
            id="nodebell-route-continue"
            value={route.continue ?? false}
            onChange={({ currentTarget }) => setRoute({ ...route, continue: currentTarget.checked })}
          />
        </Field>
        <Text element="p" color="secondary">
          {routeInWords(route, ...chosen)}
        </Text>
        <Notes isGone={isGone} error={error} />
        <Stack wrap>
          <PendingButton pending={busy} onClick={save}>
            {busy ? t('channels.form.saving', 'Saving…') : t('channels.routes.save', 'Save route')}
          </PendingButton>
          <Button variant="secondary" onClick={onCancel}>
            {t('channels.form.cancel', 'Cancel')}
          </Button>
        </Stack>
      </Bordered>
    </div>
  );
}

type RouteOptions = Pick<EditorProps, 'route' | 'channels' | 'busy' | 'onSave'>;

function useRoute({ route: initial, channels, busy, onSave }: RouteOptions) {
  const [route, setRoute] = useState(initial);
  /** Mistakes are shown once saving was tried. */
  const [isTried, setTried] = useState(false);
  const names = channels.map(({ name }) => name);
  const options = [...new Set([...names, ...route.channels])].map((value) => ({ value, label: value }));
  const chosen = leadsTo(route, channels);
  const found = invalidMembers(
    route,
    chosen.map(({ type }) => type)
  );
  const invalid = isTried ? found : [];
  const save = () => {
    setTried(true);
    if (found.length === 0) {
      onSave(route);
    }
  };
  // Saving closes the editor: a change meanwhile would be lost.
  return { route, setRoute: (next: Route) => !busy && setRoute(next), options, chosen, invalid, save };
}

function Notes({ isGone, error }: Pick<EditorProps, 'isGone' | 'error'>) {
  return (
    <>
      {isGone && (
        <Alert severity="warning" title={t('channels.routes.changed', 'Somebody has changed this route meanwhile')}>
          {t('channels.routes.changed-text', 'If you save, it is added as a new route.')}
        </Alert>
      )}
      <Failure title={t('channels.routes.not-saved', 'Could not save the routes')} error={error} ofChange />
    </>
  );
}

const editor = css({ '&:focus': { outline: 'none' } });
