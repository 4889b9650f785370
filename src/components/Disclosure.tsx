import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import type { ReactNode } from 'react';

interface Props {
  open: boolean;
  /** `id` of the part that is shown and hidden. */
  controls: string;
  onToggle: () => void;
  children: ReactNode;
}

/** The title of a card or row as a button, which extends over its nearest positioned ancestor. */
export function Disclosure({ open, controls, onToggle, children }: Props) {
  return (
    <button
      type="button"
      className={useStyles2(getStyle)}
      aria-expanded={open}
      aria-controls={open ? controls : undefined}
      onClick={onToggle}
    >
      {children}
    </button>
  );
}

const getStyle = (theme: GrafanaTheme2) =>
  css({
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(0.5),
    maxWidth: '100%',
    padding: 0,
    border: 'none',
    background: 'none',
    font: 'inherit',
    color: 'inherit',
    textAlign: 'start',
    '& > span': { minWidth: 0, overflowWrap: 'anywhere' },
    '& > svg': { flex: 'none', color: theme.colors.text.secondary },
    '&::after': { content: '""', position: 'absolute', inset: 0 },
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}`, outlineOffset: 2 },
  });
