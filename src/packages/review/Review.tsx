import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, FilterPill, RadioButtonGroup, Stack, useStyles2 } from '@grafana/ui';
import { useMemo, useState, type ReactNode } from 'react';
import { FILE_KINDS, VERDICTS, type FileKind, type Finding, type Verdict } from '@nodebell/contract/finding.ts';
import { t } from '../../i18n/t';
import { StateText } from '../../components/StateText';
import { SPLIT_WIDTH, useWidth } from '../../components/layout';
import { lineCount, verdictCount } from '../messages';
import { FindingList } from './FindingList';
import { countVerdicts, FILE_NAMES, orderFindings, type NumberedFinding } from './findings';
import { Source } from './Source';
import { SecondaryText } from '../../components/SecondaryText';

export type Files = Partial<Record<FileKind, string>>;

interface Props {
  findings: readonly Finding[];
  files: Files;
  /** Actions for the selected file. */
  tools?: (file: FileKind) => ReactNode;
  /** Replaces the source while a file is edited. */
  replaced?: (file: FileKind) => ReactNode;
}

/** Findings and source side by side; selecting one highlights the other. */
export function Review({ findings, files, tools, replaced }: Props) {
  const styles = useStyles2(getStyles);
  const [widthRef, width] = useWidth();
  const ordered = useMemo(() => orderFindings(findings), [findings]);
  const [hidden, setHidden] = useState<readonly Verdict[]>([]);
  const [chosen, setChosen] = useState<number>();
  const [file, setFile] = useState<FileKind>('manifest');
  const selected = ordered.find(({ index }) => index === chosen);
  const shown = ordered.filter(({ verdict }) => !hidden.includes(verdict));
  const select = (finding: NumberedFinding) => {
    setChosen(finding.index);
    setFile(finding.file);
    setHidden(hidden.filter((verdict) => verdict !== finding.verdict));
  };
  const present = FILE_KINDS.filter((kind) => files[kind] !== undefined);
  const text = files[file];
  return (
    <div ref={widthRef} className={(width ?? window.innerWidth) >= SPLIT_WIDTH ? styles.split : styles.stacked}>
      <Stack direction="column" gap={1.5} minWidth={0}>
        {findings.length === 0 ? (
          <StateText icon="check-circle" tone="success" text={t('packages.review.none', 'No findings.')} />
        ) : (
          <>
            <Pills findings={findings} hidden={hidden} onChange={setHidden} />
            <FindingList findings={shown} selected={selected} onSelect={select} />
          </>
        )}
      </Stack>
      <Box minWidth={0}>
        <Box marginBottom={1.5}>
          <Stack wrap alignItems="center" minHeight="32px">
            {present.length > 1 ? (
              <RadioButtonGroup
                size="sm"
                aria-label={t('packages.review.file', 'File')}
                options={present.map((kind) => ({ value: kind, label: FILE_NAMES[kind] }))}
                value={file}
                onChange={setFile}
              />
            ) : (
              <SecondaryText>{FILE_NAMES[file]}</SecondaryText>
            )}
            {text !== undefined && <SecondaryText>{lineCount(countLines(text))}</SecondaryText>}
            <Stack grow={1} justifyContent="flex-end">
              {tools?.(file)}
            </Stack>
          </Stack>
        </Box>
        {replaced?.(file) ??
          (text !== undefined && (
            <Source file={file} text={text} findings={ordered} selected={selected} onSelect={select} />
          ))}
      </Box>
    </div>
  );
}

const countLines = (text: string): number => text.replace(/\n$/, '').split(/\r\n|\r|\n/).length;

interface PillsProps {
  findings: readonly Finding[];
  hidden: readonly Verdict[];
  onChange: (hidden: Verdict[]) => void;
}

function Pills({ findings, hidden, onChange }: PillsProps) {
  const counts = countVerdicts(findings);
  const toggle = (verdict: Verdict) =>
    onChange(hidden.includes(verdict) ? hidden.filter((one) => one !== verdict) : [...hidden, verdict]);
  return (
    <Stack wrap minHeight="32px" role="group" aria-label={t('packages.review.severities', 'Filter by severity')}>
      {VERDICTS.filter((verdict) => counts[verdict] > 0).map((verdict) => (
        <FilterPill
          key={verdict}
          label={verdictCount(verdict, counts[verdict])}
          selected={!hidden.includes(verdict)}
          onClick={() => toggle(verdict)}
        />
      ))}
    </Stack>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  split: css({ display: 'grid', gridTemplateColumns: 'minmax(0, 4fr) minmax(0, 6fr)', gap: theme.spacing(2) }),
  stacked: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(3) }),
});
