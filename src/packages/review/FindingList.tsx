import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, Button, Icon, Text, useStyles2 } from '@grafana/ui';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../i18n/t';
import { toneStyles } from '../../components/StateText';
import { VERDICT_ICONS, verdictLabel } from '../messages';
import { FILE_NAMES, type NumberedFinding } from './findings';
import { List } from '../../components/List';
import { SecondaryText } from '../../components/SecondaryText';

/** Findings rendered at first; a broken manifest can have thousands. */
const FIRST = 100;

interface Props {
  findings: readonly NumberedFinding[];
  selected: NumberedFinding | undefined;
  onSelect: (finding: NumberedFinding) => void;
}

/** List of findings; selecting one shows its line in the source. */
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
      <List ref={listRef} gap={0.25} aria-label={t('packages.review.findings', 'Findings')}>
        {shown.map((finding) => (
          <li key={finding.index}>
            <button
              type="button"
              className={cx(styles.finding, finding.index === selected?.index && styles.current)}
              aria-current={finding.index === selected?.index || undefined}
              onClick={() => onSelect(finding)}
              data-rule={finding.rule}
            >
              <FindingDetails finding={finding} />
            </button>
          </li>
        ))}
      </List>
      {findings.length > shown.length && (
        <Button variant="secondary" fill="text" icon="angle-down" onClick={() => setAll(true)}>
          {t('packages.review.all', 'Show all {{n, number}}', { n: findings.length })}
        </Button>
      )}
    </>
  );
}

function FindingDetails({ finding }: { finding: NumberedFinding }) {
  const styles = useStyles2(getStyles);
  const { icon, tone } = VERDICT_ICONS[finding.verdict];
  return (
    <>
      <Icon name={icon} title={verdictLabel(finding.verdict)} className={styles[tone]} />
      <Box element="span" display="flex" direction="column" minWidth={0}>
        <Text color="primary" weight="medium">
          {finding.title}
        </Text>
        <SecondaryText>{finding.detail}</SecondaryText>
      </Box>
      <Box element="span" display="flex" direction="column" alignItems="flex-end">
        <SecondaryText tabular>
          {t('packages.review.line', 'line {{line, number}}', { line: finding.line })}
        </SecondaryText>
        {finding.file !== 'manifest' && <SecondaryText>{FILE_NAMES[finding.file]}</SecondaryText>}
      </Box>
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
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
  ...toneStyles(theme),
});
