import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { FilterPill, RadioButtonGroup, useStyles2 } from '@grafana/ui';
import { useMemo, useState, type ReactNode } from 'react';
import { FILE_KINDS, VERDICTS, type FileKind, type Finding, type Verdict } from '@nodebell/contract/finding.ts';
import { t } from '../../i18n/t';
import { StateText } from '../../components/StateText';
import { SPLIT_WIDTH, useWidth } from '../../components/layout';
import { lineCount, verdictCount } from '../words';
import { FindingList } from './FindingList';
import { countVerdicts, FILE_NAMES, orderFindings, type NumberedFinding } from './findings';
import { Source } from './Source';

export type Files = Partial<Record<FileKind, string>>;

interface Props {
  findings: readonly Finding[];
  files: Files;
  /** What can be done with the file that is shown. */
  tools?: (file: FileKind) => ReactNode;
  /** Takes the place of a file's text, while it is edited. */
  replaced?: (file: FileKind) => ReactNode;
}

/** The findings and the text that they are about, side by side and linked both ways. */
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
      <div className={styles.list}>
        <Pills findings={findings} hidden={hidden} onChange={setHidden} />
        {findings.length === 0 ? (
          <StateText icon="check-circle" tone="success" text={t('packages.review.none', 'No findings.')} />
        ) : (
          <FindingList findings={shown} selected={selected} onSelect={select} />
        )}
      </div>
      <div className={styles.source}>
        <div className={styles.toolbar}>
          {present.length > 1 ? (
            <RadioButtonGroup
              size="sm"
              aria-label={t('packages.review.file', 'File')}
              options={present.map((kind) => ({ value: kind, label: FILE_NAMES[kind] }))}
              value={file}
              onChange={setFile}
            />
          ) : (
            <span className={styles.name}>{FILE_NAMES[file]}</span>
          )}
          {text !== undefined && <span className={styles.name}>{lineCount(countLines(text))}</span>}
          <span className={styles.tools}>{tools?.(file)}</span>
        </div>
        {replaced?.(file) ??
          (text !== undefined && (
            <Source file={file} text={text} findings={ordered} selected={selected} onSelect={select} />
          ))}
      </div>
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
  const styles = useStyles2(getStyles);
  const counts = countVerdicts(findings);
  const toggle = (verdict: Verdict) =>
    onChange(hidden.includes(verdict) ? hidden.filter((one) => one !== verdict) : [...hidden, verdict]);
  return (
    <div className={styles.pills} role="group" aria-label={t('packages.review.severities', 'Filter by severity')}>
      {VERDICTS.filter((verdict) => counts[verdict] > 0).map((verdict) => (
        <FilterPill
          key={verdict}
          label={verdictCount(verdict, counts[verdict])}
          selected={!hidden.includes(verdict)}
          onClick={() => toggle(verdict)}
        />
      ))}
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  split: css({ display: 'grid', gridTemplateColumns: 'minmax(0, 4fr) minmax(0, 6fr)', gap: theme.spacing(2) }),
  stacked: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(3) }),
  list: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1.5), minWidth: 0 }),
  pills: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1), minHeight: 32 }),
  source: css({ minWidth: 0 }),
  toolbar: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(1),
    minHeight: 32,
    marginBottom: theme.spacing(1.5),
  }),
  name: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize }),
  tools: css({ display: 'flex', gap: theme.spacing(1), marginLeft: 'auto' }),
});
