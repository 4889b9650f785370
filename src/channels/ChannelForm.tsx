import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, EmptyState, RadioButtonList, Stack, Text, useStyles2 } from '@grafana/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ChannelList, Route } from '@nodebell/contract/channel.ts';
import type { NewChannel } from '@nodebell/contract/channelChange.ts';
import { CHANNEL_TYPES, type ChannelType, DESCRIPTORS } from '@nodebell/contract/channelTypes/index.ts';
import { type SyntheticEvent, useState } from 'react';
import { addChannel, changeChannel, channelsQuery, setRoutes, tryChannel } from '../api/channels';
import type { BridgeError } from '../api/errors';
import { useFocusOnMount } from '../components/useFocusOnMount';
import { t } from '../i18n/t';
import { type Draft, draftOf, emptyDraft, type Mistakes, readDraft } from './draft';
import { FirstRoute, Settings, Step, TestButton } from './FormParts';
import { ownRoutes } from './ownRoutes';
import { invalidMembers } from './RouteFields';
import { fieldRule } from './texts';
import { Failure } from '../components/Failure';
import { PendingButton } from '../components/PendingButton';

interface Props {
  list: ChannelList;
  /** The channel to edit; undefined: a new one. */
  name: string | undefined;
  onDone: () => void;
}

/** Adds a channel step by step, or changes one. */
export function ChannelForm({ list, name, onDone }: Props) {
  const styles = useStyles2(getStyles);
  const { draft, change, tryOut, submit, test, save, mistakes, isIncomplete, route, setRoute, invalid, isAdded } =
    useForm(list, name, onDone);
  const isNew = name === undefined;
  const hasTest = draft && !DESCRIPTORS[draft.type].hasDevices;
  const form = useFocusOnMount<HTMLFormElement>();
  return (
    <form ref={form} tabIndex={-1} onSubmit={submit} noValidate className={styles.form}>
      <Beginning {...{ name, draft, isAdded, change }} />
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
            <Settings draft={draft} isNew={isNew && !isAdded} mistakes={mistakes} onChange={change} />
          </Step>
          {hasTest && (
            <Step number={isNew ? 3 : 2} title={t('channels.form.test', 'Test')}>
              <TestButton test={test} onTest={tryOut} />
            </Step>
          )}
          {isNew && (
            <Step number={hasTest ? 4 : 3} title={t('channels.form.route', 'Notifications')}>
              <FirstRoute route={route} draft={draft} invalid={invalid} onChange={setRoute} />
            </Step>
          )}
        </>
      )}
      <Problems isIncomplete={isIncomplete} isAdded={isAdded} error={save.error} />
      <Stack>
        {draft && (
          <PendingButton type="submit" pending={save.isPending}>
            {save.isPending ? t('channels.form.saving', 'Saving…') : t('channels.form.save', 'Save channel')}
          </PendingButton>
        )}
        <Button variant="secondary" onClick={onDone}>
          {t('channels.form.cancel', 'Cancel')}
        </Button>
      </Stack>
    </form>
  );
}

type BeginningProps = Pick<Props, 'name'> & Pick<ReturnType<typeof useForm>, 'draft' | 'isAdded' | 'change'>;

/** The type of a new channel; a message if the one to edit does not exist. */
function Beginning({ name, draft, isAdded, change }: BeginningProps) {
  if (name === undefined) {
    return isAdded ? null : (
      <TypeStep type={draft?.type} onChange={(type) => change({ ...emptyDraft(type), name: draft?.name ?? '' })} />
    );
  }
  return draft ? null : (
    <EmptyState
      variant="not-found"
      hideImage
      message={t('channels.form.not-found', 'There is no channel {{name}}', { name })}
    />
  );
}

function TypeStep({ type, onChange }: { type: ChannelType | undefined; onChange: (type: ChannelType) => void }) {
  return (
    <Step number={1} title={t('channels.form.type', 'Type')}>
      <RadioButtonList<ChannelType | ''>
        name="nodebell-channel-type"
        options={CHANNEL_TYPES.map((value) => {
          const { label, description } = DESCRIPTORS[value];
          return { value, label: label(t), description: description(t) };
        })}
        value={type ?? ''}
        onChange={(chosen) => chosen !== '' && onChange(chosen)}
      />
    </Step>
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
  const invalidRoute = route && draft ? invalidMembers({ ...route, channels: ['any'] }, [draft.type]) : [];
  /** The channel is stored, and its route was not. */
  const [isAdded, setAdded] = useState(false);
  const client = useQueryClient();
  const test = useMutation({ mutationFn: tryChannel, meta: { quiet: true } });
  const save = useMutation({
    mutationFn: async ({ name: of, ...settings }: NewChannel) => {
      if (name !== undefined || isAdded) {
        await changeChannel(of, settings);
      } else {
        await addChannel({ ...settings, name: of });
        setAdded(true);
      }
      if (route) {
        // The next channel's route must be reached as well.
        await setRoutes([...ownRoutes(list), { ...route, channels: [of], continue: true }], list.revision);
      }
    },
    meta: { quiet: true },
    // Also the revision after a conflict.
    onSettled: () => void client.invalidateQueries(channelsQuery),
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
      // Saving closes the form: a change meanwhile would be lost.
      if (!save.isPending) {
        setDraft(next);
        test.reset();
        save.reset();
      }
    },
    tryOut: () => attempt((valid) => test.mutate(valid)),
    submit: (event: SyntheticEvent) => {
      event.preventDefault();
      attempt((valid) => (invalidRoute.length === 0 ? save.mutate(valid, { onSuccess: onDone }) : undefined));
    },
    test,
    save,
    mistakes: mistakesOf(draft, found, test.error ?? save.error),
    isIncomplete: isTried && (Object.keys(found).length > 0 || invalidRoute.length > 0),
    route,
    setRoute: (next: Route | undefined) => !save.isPending && setRoute(next),
    invalid: isTried ? invalidRoute : [],
    isAdded,
  };
}

interface ProblemsProps {
  isIncomplete: boolean;
  isAdded: boolean;
  error: BridgeError | null;
}

function Problems({ isIncomplete, isAdded, error }: ProblemsProps) {
  return (
    <>
      {isIncomplete && (
        <div role="alert">
          <Text color="error">{t('channels.form.incomplete', 'Some settings are missing or invalid.')}</Text>
        </div>
      )}
      <Failure
        title={
          isAdded
            ? t('channels.form.route-not-saved', 'The channel was added, but its route could not be saved')
            : t('channels.form.not-saved', 'Could not save the channel')
        }
        error={error}
        ofChange
      />
    </>
  );
}

/** Errors of the form and of the response. */
function mistakesOf(draft: Draft | undefined, mistakes: Mistakes, error: BridgeError | null): Record<string, string> {
  const own = Object.entries(mistakes).map(([member, kind]) => [
    member,
    kind === 'missing' ? t('channels.form.required', 'Required') : fieldRule(draft!.type, member),
  ]);
  const theirs = (error?.problem?.errors ?? []).map(({ pointer, detail }) => [
    pointer.slice(1).replaceAll('/', '.'),
    detail,
  ]);
  return Object.fromEntries([...theirs, ...own]) as Record<string, string>;
}

const getStyles = (theme: GrafanaTheme2) => ({
  form: css({
    '&:focus': { outline: 'none' },
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(4),
    maxWidth: 720,
  }),
});
