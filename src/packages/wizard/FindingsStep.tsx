import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, Stack, TextArea, useStyles2 } from '@grafana/ui';
import { useState } from 'react';
import { MAX_FILE_LENGTH, type FileKind } from '@nodebell/contract/finding.ts';
import { FileButton } from '../../components/FileButton';
import { t } from '../../i18n/t';
import { FILE_NAMES } from '../review/findings';
import { Review } from '../review/Review';
import type { Wizard } from './useWizard';
import { SmallButton } from '../../components/SmallButton';

/** Findings next to their source, which can be edited and validated again. */
export function FindingsStep({ wizard }: { wizard: Wizard }) {
  const [editing, setEditing] = useState<FileKind>();
  const { files, preview } = wizard.draft;
  const validate = (file: FileKind, text: string) => {
    setEditing(undefined);
    wizard.validate({ ...files, [file]: text });
  };
  return (
    <Review
      findings={preview?.findings ?? []}
      files={files}
      tools={(file) =>
        editing === file ? null : (
          <>
            <SmallButton fill="text" icon="pen" onClick={() => setEditing(file)}>
              {t('packages.edit.edit', 'Edit')}
            </SmallButton>
            <Replace file={file} onText={(text) => validate(file, text)} />
          </>
        )
      }
      replaced={(file) =>
        editing === file ? (
          <Editor
            file={file}
            text={files[file] ?? ''}
            onDone={(text) => validate(file, text)}
            onCancel={() => setEditing(undefined)}
          />
        ) : undefined
      }
    />
  );
}

const Replace = ({ file, onText }: { file: FileKind; onText: (text: string) => void }) => (
  <FileButton
    size="sm"
    fill="text"
    label={t('packages.edit.replacement', 'Replacement for {{file}}', { file: FILE_NAMES[file] })}
    accept=".json,.yml,.yaml"
    // Longer files fail validation, so reading more is pointless.
    onFiles={([chosen]) =>
      void chosen
        .slice(0, 4 * MAX_FILE_LENGTH)
        .text()
        .then(onText)
    }
  >
    {t('packages.edit.replace', 'Replace file')}
  </FileButton>
);

interface EditorProps {
  file: FileKind;
  text: string;
  onDone: (text: string) => void;
  onCancel: () => void;
}

function Editor({ file, text, onDone, onCancel }: EditorProps) {
  const styles = useStyles2(getStyles);
  const [draft, setDraft] = useState(text);
  return (
    <Stack direction="column">
      <TextArea
        autoFocus
        aria-label={t('packages.review.text-of', 'Source of {{file}}', { file: FILE_NAMES[file] })}
        className={styles.text}
        rows={24}
        spellCheck={false}
        value={draft}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      />
      <Stack justifyContent="flex-end">
        <Button variant="secondary" fill="text" onClick={onCancel}>
          {t('packages.edit.discard', 'Discard')}
        </Button>
        <Button variant="secondary" onClick={() => onDone(draft)}>
          {t('packages.edit.validate', 'Validate again')}
        </Button>
      </Stack>
    </Stack>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  text: css({
    fontFamily: theme.typography.fontFamilyMonospace,
    fontSize: theme.typography.bodySmall.fontSize,
    whiteSpace: 'pre',
    overflowX: 'auto',
  }),
});
