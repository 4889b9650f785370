import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useState } from 'react';
import type { FileKind } from '@nodebell/contract/finding.ts';
import { t } from '../../i18n/t';
import { toneStyles } from '../../components/StateText';
import { VERDICT_SIGNS, verdictWord } from '../words';
import { FILE_NAMES, findingsByLine, type NumberedFinding } from './findings';
import { cutLine, jsonPieces, yamlPieces } from './highlight';

const LINE_HEIGHT = 20;

interface Props {
  file: FileKind;
  text: string;
  findings: readonly NumberedFinding[];
  selected: NumberedFinding | undefined;
  onSelect: (finding: NumberedFinding) => void;
}

/** The text of a file with its findings beside their lines. */
export function Source({ file, text, findings, selected, onSelect }: Props) {
  const styles = useStyles2(getStyles);
  const lines = useMemo(() => text.replace(/\n$/, '').split(/\r\n|\r|\n/), [text]);
  const marks = useMemo(() => findingsByLine(findings, file), [findings, file]);
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller,
    estimateSize: () => LINE_HEIGHT,
    overscan: 12,
  });
  const line = selected?.file === file ? Math.min(selected.line, lines.length) : undefined;
  useEffect(() => {
    if (line !== undefined && scroller) {
      virtualizer.scrollToIndex(line - 1, { align: 'center' });
      // On a phone the source lies below the list.
      scroller.scrollIntoView({ block: 'nearest' });
    }
  }, [line, scroller, virtualizer]);
  const json = file === 'manifest' || text.trimStart().startsWith('{');
  return (
    <div
      ref={setScroller}
      className={styles.source}
      tabIndex={0}
      role="region"
      aria-label={t('packages.review.text-of', 'Source of {{file}}', { file: FILE_NAMES[file] })}
    >
      <div className={styles.lines} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const found = marks.get(index + 1);
          const current = line === index + 1;
          return (
            <div
              key={index}
              className={cx(styles.line, found?.[0]?.verdict === 'error' && styles.bad, current && styles.current)}
              style={{ transform: `translateY(${start}px)` }}
              data-line={index + 1}
            >
              <span className={styles.number} aria-hidden>
                {index + 1}
              </span>
              <span className={styles.gutter}>{found && <Mark findings={found} onSelect={onSelect} />}</span>
              <Code text={cutLine(lines[index] ?? '', current ? selected?.column : 1)} json={json} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Mark({ findings, onSelect }: { findings: NumberedFinding[] } & Pick<Props, 'onSelect'>) {
  const styles = useStyles2(getStyles);
  const [worst] = findings;
  if (!worst) {
    return null;
  }
  const { icon, tone } = VERDICT_SIGNS[worst.verdict];
  const title = t('packages.review.mark', 'Line {{line}}, {{verdict}}: {{findings}}', {
    line: worst.line,
    verdict: verdictWord(worst.verdict),
    findings: findings.map((finding) => finding.title).join('; '),
  });
  return (
    <button
      type="button"
      className={cx(styles.mark, styles[tone])}
      title={title}
      aria-label={title}
      onClick={() => onSelect(worst)}
    >
      <Icon name={icon} size="sm" />
    </button>
  );
}

function Code({ text, json }: { text: string; json: boolean }) {
  const styles = useStyles2(getStyles);
  return (
    <code className={styles.code}>
      {(json ? jsonPieces : yamlPieces)(text).map(({ kind, text: piece }, index) => (
        <span key={index} className={styles[kind]}>
          {piece}
        </span>
      ))}
    </code>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  source: css({
    maxHeight: 560,
    minHeight: 120,
    overflow: 'auto',
    padding: theme.spacing(1, 0),
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
    background: theme.colors.background.canvas,
    direction: 'ltr',
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}` },
  }),
  lines: css({ position: 'relative', minWidth: 'max-content' }),
  line: css({
    position: 'absolute',
    top: 0,
    left: 0,
    minWidth: '100%',
    height: LINE_HEIGHT,
    display: 'flex',
    alignItems: 'center',
    paddingRight: theme.spacing(2),
  }),
  bad: css({ background: theme.colors.error.transparent }),
  current: css({ boxShadow: `inset 3px 0 0 ${theme.colors.primary.border}`, background: theme.colors.action.selected }),
  number: css({
    width: 44,
    flex: 'none',
    textAlign: 'right',
    fontFamily: theme.typography.fontFamilyMonospace,
    fontSize: theme.typography.bodySmall.fontSize,
    color: theme.colors.text.secondary,
    userSelect: 'none',
  }),
  gutter: css({ width: 32, flex: 'none', display: 'flex', justifyContent: 'center', userSelect: 'none' }),
  mark: css({
    display: 'flex',
    padding: 2,
    border: 'none',
    background: 'none',
    borderRadius: theme.shape.radius.default,
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}` },
  }),
  code: css({
    padding: 0,
    margin: 0,
    border: 'none',
    background: 'none',
    fontFamily: theme.typography.fontFamilyMonospace,
    fontSize: theme.typography.bodySmall.fontSize,
    whiteSpace: 'pre',
  }),
  key: css({ color: theme.colors.primary.text }),
  string: css({ color: theme.colors.success.text }),
  value: css({ color: theme.colors.warning.text }),
  comment: css({ color: theme.colors.text.secondary }),
  plain: css({ color: theme.colors.text.secondary }),
  ...toneStyles(theme),
});
