import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Field, Input, Stack, Text, TextArea, useStyles2 } from '@grafana/ui';
import { useState, type DragEvent, type FormEvent } from 'react';
import type { FileKind } from '@nodebell/contract/finding.ts';
import { FileButton } from '../../components/FileButton';
import { t } from '../../i18n/t';
import { may } from '../../api/permissions';
import { FILE_NAMES } from '../review/findings';
import { lineCount } from '../messages';
import { useFiles } from './useFiles';
import type { Wizard } from './useWizard';
import { PACKAGES } from '@nodebell/contract/api/packages.ts';
import { call } from '../../api/client';
import { SmallButton } from '../../components/SmallButton';
import { useMutation } from '@tanstack/react-query';
import { PendingButton } from '../../components/PendingButton';

/** Placeholder: the start of a manifest. */
const BEGINNING = '{\n  "name": "example.dnp.dappnode.eth",\n  "version": "0.1.0",\n  …\n}';

const EXTRA = ['notifications', 'compose'] as const satisfies FileKind[];

/** Package files: pasted, dropped, selected or fetched from a URL. */
export function ManifestStep({ wizard }: { wizard: Wizard }) {
  const styles = useStyles2(getStyles);
  const { draft, setFile } = wizard;
  const { problem, read } = useFiles(setFile);
  const { over, handlers } = useDrop((files) => void read(files));
  return (
    <Stack direction="column" gap={3} maxWidth="860px">
      <div className={cx(styles.drop, over && styles.over)} {...handlers}>
        <Field
          noMargin
          label={t('packages.files.manifest', 'Manifest')}
          htmlFor="manifest-text"
          description={t(
            'packages.files.help',
            'Paste or drop dappnode_package.json, optionally with docker-compose.yml and notifications.yaml.'
          )}
        >
          <TextArea
            id="manifest-text"
            className={styles.text}
            rows={14}
            spellCheck={false}
            value={draft.files.manifest ?? ''}
            placeholder={BEGINNING}
            onChange={({ currentTarget }) => setFile('manifest', currentTarget.value)}
          />
        </Field>
        <Stack rowGap={1} columnGap={2} wrap alignItems="center">
          <FileButton
            multiple
            label={t('packages.files.label', 'Package files')}
            accept=".json,.yml,.yaml"
            onFiles={(files) => void read(files)}
          >
            {t('packages.files.choose', 'Choose files')}
          </FileButton>
          {EXTRA.map((kind) => (
            <ExtraFile key={kind} kind={kind} text={draft.files[kind]} onRemove={() => setFile(kind, undefined)} />
          ))}
        </Stack>
        {problem && (
          <Text element="p" role="alert" color="error">
            {problem}
          </Text>
        )}
      </div>
      {may('bridge:admin') && <FetchManifest onText={(text) => setFile('manifest', text)} />}
    </Stack>
  );
}

interface ExtraProps {
  kind: FileKind;
  text: string | undefined;
  onRemove: () => void;
}

function ExtraFile({ kind, text, onRemove }: ExtraProps) {
  return text === undefined ? null : (
    <Stack alignItems="center" gap={0}>
      {FILE_NAMES[kind]}, {lineCount(text.split('\n').length)}
      <SmallButton
        fill="text"
        icon="times"
        aria-label={t('packages.files.remove', 'Remove {{file}}', { file: FILE_NAMES[kind] })}
        onClick={onRemove}
      />
    </Stack>
  );
}

function useDrop(onFiles: (files: File[]) => void) {
  const [over, setOver] = useState(false);
  return {
    over,
    handlers: {
      onDragOver: (event: DragEvent) => {
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        if (event.dataTransfer.files.length > 0) {
          onFiles([...event.dataTransfer.files]);
        }
      },
    },
  };
}

const getStyles = (theme: GrafanaTheme2) => ({
  drop: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(1.5),
    padding: theme.spacing(2),
    border: `1px dashed ${theme.colors.border.strong}`,
    borderRadius: theme.shape.radius.default,
  }),
  over: css({ borderColor: theme.colors.primary.border, background: theme.colors.primary.transparent }),
  text: css({ fontFamily: theme.typography.fontFamilyMonospace, fontSize: theme.typography.bodySmall.fontSize }),
});

const fetchedMessage = (name: string): string =>
  name
    ? t('packages.fetch.done', 'Fetched {{name}}.', { name })
    : t('packages.fetch.done-unnamed', 'Fetched the manifest.');

/** Lets the bridge fetch a manifest from a URL. */
function FetchManifest({ onText }: { onText: (text: string) => void }) {
  const [url, setUrl] = useState('');
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => call(PACKAGES.fetchManifest, { body: { url: url.trim() } }),
    meta: { quiet: true },
    onSuccess: ({ text }) => onText(text),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={submit}>
      <Field
        noMargin
        label={t('packages.fetch.label', 'Or fetch from a URL')}
        htmlFor="manifest-address"
        description={
          data
            ? fetchedMessage(data.name)
            : t('packages.fetch.help', 'The bridge fetches the file. Private network addresses are not allowed.')
        }
        invalid={error !== null}
        error={error?.message}
      >
        {/* Field passes input props to its child; the fragment keeps them off the Stack. */}
        <>
          <Stack gap={1}>
            <Input
              invalid={error !== null}
              id="manifest-address"
              type="url"
              // URLs are not translated.
              // eslint-disable-next-line @grafana/i18n/no-untranslated-strings
              placeholder="https://…/dappnode_package.json"
              value={url}
              onChange={({ currentTarget }) => setUrl(currentTarget.value)}
            />
            <PendingButton type="submit" variant="secondary" pending={isPending} disabled={url.trim() === ''}>
              {isPending ? t('packages.fetch.busy', 'Fetching…') : t('packages.fetch.fetch', 'Fetch')}
            </PendingButton>
          </Stack>
        </>
      </Field>
    </form>
  );
}
