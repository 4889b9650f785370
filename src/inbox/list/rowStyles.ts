/** Styles of a row. Plain CSS: hundreds of rows are drawn while scrolling. */
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';

const cut = {
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  minWidth: 0,
  textAlign: 'left',
} as const;

export const getStyles = (theme: GrafanaTheme2) => ({
  ...frameStyles(theme),
  ...lineStyles(theme),
  ...metaStyles(theme),
});

const frameStyles = (theme: GrafanaTheme2) => ({
  row: css({
    display: 'flex',
    gap: theme.spacing(1.5),
    height: 82,
    padding: theme.spacing(1, 1.5, 1, 0.5),
    borderRadius: theme.shape.radius.default,
    position: 'relative',
    cursor: 'pointer',
    '--quiet': theme.colors.text.secondary,
    '&:hover': { background: theme.colors.action.hover },
    '& .check': { display: 'none' },
    '&:hover .check, &.selecting .check, [role=row]:focus-visible & .check': { display: 'block' },
    '&:hover .dot, &.selecting .dot, [role=row]:focus-visible & .dot': { display: 'none' },
    '@media (hover: none)': {
      '&:not(.selecting):hover .check': { display: 'none' },
      '&:not(.selecting):hover .dot': { display: 'block' },
    },
  }),
  // Secondary text, and that of errors, have too little contrast on the selection color.
  marked: css({
    '--quiet': theme.colors.text.primary,
    '--loud': theme.colors.text.primary,
    background: theme.colors.action.selected,
    '&:hover': { background: theme.colors.action.selected },
  }),
  open: css({
    '&::before': {
      content: '""',
      position: 'absolute',
      left: 0,
      top: 4,
      bottom: 4,
      width: 3,
      borderRadius: theme.shape.radius.default,
      background: theme.colors.gradients.brandVertical,
    },
  }),
  lead: css({
    flex: 'none',
    width: 16,
    marginLeft: theme.spacing(0.5),
    marginRight: theme.spacing(-0.5),
    display: 'flex',
    justifyContent: 'center',
    paddingTop: 8,
  }),
  dot: css({
    width: 10,
    height: 10,
    marginTop: 3,
    borderRadius: theme.shape.radius.circle,
    background: theme.colors.primary.main,
  }),
  check: css({ height: 16, '& label': { display: 'block' } }),
});

const lineStyles = (theme: GrafanaTheme2) => ({
  text: css({ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column', gap: 2 }),
  line: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(1), minHeight: 20, minWidth: 0 }),
  title: css({ ...cut, flex: 1, color: theme.colors.text.primary }),
  unread: css({ color: theme.colors.text.maxContrast, fontWeight: theme.typography.fontWeightMedium }),
  time: css({
    flex: 'none',
    color: 'var(--quiet)',
    fontSize: theme.typography.bodySmall.fontSize,
    fontVariantNumeric: 'tabular-nums',
  }),
  body: css({
    ...cut,
    color: 'var(--quiet)',
    fontSize: theme.typography.bodySmall.fontSize,
    lineHeight: '18px',
    minHeight: 18,
  }),
  error: css({ color: `var(--loud, ${theme.colors.error.text})` }),
});

const metaStyles = (theme: GrafanaTheme2) => ({
  meta: css({
    flex: 1,
    minWidth: 0,
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    color: 'var(--quiet)',
    fontSize: theme.typography.bodySmall.fontSize,
    '& > *': { flex: 'none' },
  }),
  // Is cut first, with the gap before it: the avatar stands for it as well. A lower factor would cut the others by less than a pixel.
  package: css({
    ...cut,
    flex: '0 100000 auto !important',
    marginLeft: theme.spacing(-1),
    '&::before': { content: '""', display: 'inline-block', width: theme.spacing(1) },
  }),
  // Text without room for a few letters wraps, out of sight.
  sign: css({
    display: 'inline-flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: theme.spacing(0.5),
    flex: '0 1 auto !important',
    minWidth: 16,
    height: 18,
    lineHeight: '18px',
    overflow: 'hidden',
    position: 'relative',
    '& > svg, & > div': { flex: 'none', height: 18 },
  }),
  short: css({ ...cut, flex: '1 1 3ch' }),
  count: css({
    flex: 'none',
    display: 'inline-flex',
    alignItems: 'center',
    gap: 4,
    position: 'relative',
    color: 'var(--quiet)',
    fontSize: theme.typography.bodySmall.fontSize,
  }),
});
