import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, Icon, useStyles2 } from '@grafana/ui';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../i18n/t';
import { toneStyles } from '../../components/StateText';
import { VERDICT_SIGNS, verdictWord } from '../words';
import { FILE_NAMES, type NumberedFinding } from './findings';

/** More than anybody reads at once; a manifest with ten thousand mistakes has one. */
const FIRST = 100;

interface Props {
  findings: readonly NumberedFinding[];
  selected: NumberedFinding | undefined;
  onSelect: (finding: NumberedFinding) => void;
}

/** What the judge has to say; choosing a finding shows its place in the source. */
export function FindingList({ findings, selected, onSelect }: Props) {
  const styles = useStyles2(getStyles);
  const [all, setAll] = useState(false);
  const shown = all ? findings : findings.slice(0, FIRST);
  const listRef = useRef<HTMLUListElement>(null);
  useEffect(() => {
    listRef.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return (
    <>
      <ul ref={listRef} className={styles.list} aria-label={t('packages.review.findings', 'Findings')}>
        {shown.map((finding) => (
          <li key={finding.index}>
            <button
              type="button"
              className={cx(styles.finding, finding.index === selected?.index && styles.current)}
              aria-current={finding.index === selected?.index || undefined}
              onClick={() => onSelect(finding)}
              data-rule={finding.rule}
            >
              <FindingWords finding={finding} />
            </button>
          </li>
        ))}
      </ul>
      {findings.length > shown.length && (
        <Button variant="secondary" fill="text" icon="angle-down" onClick={() => setAll(true)}>
          {t('packages.review.all', 'Show all {{n, number}}', { n: findings.length })}
        </Button>
      )}
    </>
  );
}

function FindingWords({ finding }: { finding: NumberedFinding }) {
  const styles = useStyles2(getStyles);
  const { icon, tone } = VERDICT_SIGNS[finding.verdict];
  return (
    <>
      <Icon name={icon} title={verdictWord(finding.verdict)} className={styles[tone]} />
      <span className={styles.words}>
        <span className={styles.title}>{finding.title}</span>
        <span className={styles.detail}>{finding.detail}</span>
      </span>
      <span className={styles.place}>
        {t('packages.review.line', 'line {{line, number}}', { line: finding.line })}
        {finding.file !== 'manifest' && <span className={styles.file}>{FILE_NAMES[finding.file]}</span>}
      </span>
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  list: css({ listStyle: 'none', display: 'flex', flexDirection: 'column', gap: theme.spacing(0.25) }),
  finding: css({
    display: 'grid',
    gridTemplateColumns: '16px minmax(0, 1fr) auto',
    columnGap: theme.spacing(1.5),
    alignItems: 'start',
    width: '100%',
    padding: theme.spacing(1, 1.5),
    border: 'none',
    background: 'none',
    textAlign: 'left',
    borderRadius: theme.shape.radius.default,
    '& > svg, & > div:first-child': { marginTop: 3 },
    '&:hover': { background: theme.colors.action.hover },
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}` },
  }),
  current: css({ background: theme.colors.action.selected }),
  words: css({ display: 'flex', flexDirection: 'column', minWidth: 0, overflowWrap: 'anywhere' }),
  title: css({ color: theme.colors.text.primary, fontWeight: theme.typography.fontWeightMedium }),
  detail: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize }),
  place: css({
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'flex-end',
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
    fontVariantNumeric: 'tabular-nums',
    whiteSpace: 'nowrap',
  }),
  file: css({ maxWidth: 140, overflow: 'hidden', textOverflow: 'ellipsis' }),
  ...toneStyles(theme),
});
