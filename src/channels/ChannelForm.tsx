import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Button, RadioButtonList, useStyles2 } from '@grafana/ui';
import { useMutation } from '@tanstack/react-query';
import type { ChannelList, Route } from '@nodebell/contract/channel.ts';
import type { NewChannel } from '@nodebell/contract/channelChange.ts';
import { type SyntheticEvent, useState } from 'react';
import { addChannel, changeChannel, setRoutes, tryChannel } from '../api/channels';
import type { BridgeError } from '../api/errors';
import { explainChange } from '../api/queryClient';
import { t } from '../i18n/t';
import { type Draft, draftOf, emptyDraft, type Kind, KIND_NAMES, type Member, type Mistakes, readDraft } from './draft';
import { FirstRoute, Settings, Step, TestButton } from './FormParts';
import { ownRoutes } from './ownRoutes';
import { kindLabel, kindText, memberRule } from './texts';

interface Props {
  list: ChannelList;
  /** The channel to edit; undefined: a new one. */
  name: string | undefined;
  onDone: () => void;
}

/** Adds a channel step by step, or changes one. */
export function ChannelForm({ list, name, onDone }: Props) {
  const styles = useStyles2(getStyles);
  const { draft, change, tryOut, submit, test, save, mistakes, isIncomplete, route, setRoute } = useForm(
    list,
    name,
    onDone
  );
  const isNew = name === undefined;
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      {isNew && (
        <Step number={1} title={t('channels.form.kind', 'Kind')}>
          <RadioButtonList
            name="nodebell-channel-kind"
            options={KIND_NAMES.map((value) => ({ value, label: kindLabel(value), description: kindText(value) }))}
            value={draft?.type ?? ''}
            onChange={(type: string) => change({ ...emptyDraft(type as Kind), name: draft?.name ?? '' })}
          />
        </Step>
      )}
      {draft && (
        <>
          <Step
            number={isNew ? 2 : 1}
            title={
              isNew
                ? t('channels.form.settings', 'Settings')
                : t('channels.form.settings-of', 'Settings of {{name}}', { name })
            }
          >
            <Settings draft={draft} isNew={isNew} mistakes={mistakes} onChange={change} />
          </Step>
          <Step number={isNew ? 3 : 2} title={t('channels.form.test', 'Test')}>
            <TestButton test={test} onTest={tryOut} />
          </Step>
          {isNew && (
            <Step number={4} title={t('channels.form.route', 'Notifications')}>
              <FirstRoute route={route} onChange={setRoute} />
            </Step>
          )}
        </>
      )}
      <Failure isIncomplete={isIncomplete} error={save.error} />
      <div className={styles.buttons}>
        {draft && (
          <Button type="submit" disabled={save.isPending}>
            {save.isPending ? t('channels.form.saving', 'Saving…') : t('channels.form.save', 'Save channel')}
          </Button>
        )}
        <Button type="button" variant="secondary" onClick={onDone}>
          {t('channels.form.cancel', 'Cancel')}
        </Button>
      </div>
    </form>
  );
}

function useForm(list: ChannelList, name: string | undefined, onDone: () => void) {
  const channel = list.channels.find((one) => one.name === name);
  const [draft, setDraft] = useState<Draft | undefined>(channel && draftOf(channel));
  const [route, setRoute] = useState<Route | undefined>(name === undefined ? { channels: [] } : undefined);
  /** Mistakes are shown once something was tried. */
  const [isTried, setTried] = useState(false);
  const result = draft && readDraft(draft);
  const body = result && 'body' in result ? result.body : undefined;
  const found = result && 'mistakes' in result && isTried ? result.mistakes : {};
  const test = useMutation({ mutationFn: tryChannel, meta: { quiet: true } });
  const save = useMutation({
    mutationFn: (valid: NewChannel) => store(valid, { list, route, isNew: name === undefined }),
    meta: { quiet: true },
    onSuccess: onDone,
  });
  const attempt = (run: (valid: NewChannel) => void) => {
    setTried(true);
    if (draft && body) {
      run({ ...body, name: draft.name.trim() });
    }
  };
  return {
    draft,
    change: (next: Draft) => {
      setDraft(next);
      test.reset();
      save.reset();
    },
    tryOut: () => attempt((valid) => test.mutate(valid)),
    submit: (event: SyntheticEvent) => {
      event.preventDefault();
      attempt((valid) => save.mutate(valid));
    },
    test,
    save,
    mistakes: mistakesOf(found, test.error ?? save.error),
    isIncomplete: Object.keys(found).length > 0,
    route,
    setRoute,
  };
}

function Failure({ isIncomplete, error }: { isIncomplete: boolean; error: BridgeError | null }) {
  const styles = useStyles2(getStyles);
  return (
    <>
      {isIncomplete && (
        <p role="alert" className={styles.mistake}>
          {t('channels.form.incomplete', 'Some settings are missing or invalid.')}
        </p>
      )}
      {error && (
        <Alert severity="error" title={t('channels.form.not-saved', 'Could not save the channel')}>
          {explainChange(error)}
        </Alert>
      )}
    </>
  );
}

async function store(
  { name, ...change }: NewChannel,
  { list, route, isNew }: { list: ChannelList; route: Route | undefined; isNew: boolean }
): Promise<void> {
  if (!isNew) {
    await changeChannel(name, change);
    return;
  }
  await addChannel({ ...change, name });
  if (route) {
    // The next channel's route must be reached as well.
    await setRoutes([...ownRoutes(list), { ...route, channels: [name], continue: true }], list.revision);
  }
}

/** Of the form, and of the response. */
function mistakesOf(mistakes: Mistakes, error: BridgeError | null): Record<string, string> {
  const own = Object.entries(mistakes).map(([member, kind]) => [
    member,
    kind === 'missing' ? t('channels.form.required', 'Required') : memberRule(member as Member),
  ]);
  const theirs = (error?.problem?.errors ?? []).map(({ pointer, detail }) => [pointer.split('/')[1], detail]);
  return Object.fromEntries([...theirs, ...own]) as Record<string, string>;
}

const getStyles = (theme: GrafanaTheme2) => ({
  form: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(4), maxWidth: 720 }),
  mistake: css({ color: theme.colors.error.text, margin: 0 }),
  buttons: css({ display: 'flex', gap: theme.spacing(1) }),
});
