import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, TextArea, useStyles2 } from '@grafana/ui';
import { useRef, useState } from 'react';
import { MAX_FILE_LENGTH, type FileKind } from '@nodebell/contract/finding.ts';
import { t } from '../../i18n/t';
import { FILE_NAMES } from '../review/findings';
import { Review } from '../review/Review';
import type { Wizard } from './useWizard';

/** The findings beside their source, which can be mended in place and judged again. */
export function FindingsStep({ wizard }: { wizard: Wizard }) {
  const [editing, setEditing] = useState<FileKind>();
  const { files, preview } = wizard.draft;
  const judge = (file: FileKind, text: string) => {
    setEditing(undefined);
    wizard.judge({ ...files, [file]: text });
  };
  return (
    <Review
      findings={preview?.findings ?? []}
      files={files}
      tools={(file) =>
        editing === file ? null : (
          <>
            <Button size="sm" variant="secondary" fill="text" icon="pen" onClick={() => setEditing(file)}>
              {t('packages.edit.edit', 'Edit')}
            </Button>
            <Replace file={file} onText={(text) => judge(file, text)} />
          </>
        )
      }
      replaced={(file) =>
        editing === file ? (
          <Editor
            file={file}
            text={files[file] ?? ''}
            onDone={(text) => judge(file, text)}
            onCancel={() => setEditing(undefined)}
          />
        ) : undefined
      }
    />
  );
}

function Replace({ file, onText }: { file: FileKind; onText: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="sm" variant="secondary" fill="text" icon="upload" onClick={() => input.current?.click()}>
        {t('packages.edit.replace', 'Replace file')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('packages.edit.replacement', 'Replacement for {{file}}', { file: FILE_NAMES[file] })}
        accept=".json,.yml,.yaml"
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.files?.[0];
          // What is longer is refused by the judge in any case; there is no use in reading it.
          void chosen
            ?.slice(0, 4 * MAX_FILE_LENGTH)
            .text()
            .then(onText);
          currentTarget.value = '';
        }}
      />
    </>
  );
}

interface EditorProps {
  file: FileKind;
  text: string;
  onDone: (text: string) => void;
  onCancel: () => void;
}

function Editor({ file, text, onDone, onCancel }: EditorProps) {
  const styles = useStyles2(getStyles);
  const [typed, setTyped] = useState(text);
  return (
    <div className={styles.editor}>
      <TextArea
        autoFocus
        aria-label={t('packages.review.text-of', 'Source of {{file}}', { file: FILE_NAMES[file] })}
        className={styles.text}
        rows={24}
        spellCheck={false}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <div className={styles.buttons}>
        <Button variant="secondary" fill="text" onClick={onCancel}>
          {t('packages.edit.discard', 'Discard')}
        </Button>
        <Button variant="secondary" onClick={() => onDone(typed)}>
          {t('packages.edit.validate', 'Validate again')}
        </Button>
      </div>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  editor: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1) }),
  text: css({
    fontFamily: theme.typography.fontFamilyMonospace,
    fontSize: theme.typography.bodySmall.fontSize,
    whiteSpace: 'pre',
    overflowX: 'auto',
  }),
  buttons: css({ display: 'flex', justifyContent: 'flex-end', gap: theme.spacing(1) }),
});
