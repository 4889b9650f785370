import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import type { CSSProperties, KeyboardEvent } from 'react';
import { step } from '@nodebell/contract/condition.ts';
import { t } from '../../i18n/t';
import type { Gesture } from '../gesture';
import { amount } from '../messages';

/** Radius of the thumb, in pixels; its center stays this far inside the rail. */
const RADIUS = 8;

const KEYS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End']);

interface Props {
  label: string;
  /** Current value. If it is out of range, the thumb is at the end of the rail and the value is kept. */
  value: number;
  /** Value at the start of the gesture: its decimals determine the step. */
  settled: number;
  /** The package's default; undefined if there is none. */
  shipped?: number | undefined;
  min: number;
  max: number;
  unit: string | undefined;
  disabled: boolean;
  gesture: Gesture;
}

/**
 * A native range input, which supports pointers, keys and screen readers. Grafana's slider has neither `disabled` nor
 * `aria-valuetext`, and rounds a value that is not on a step.
 */
export function Slider({ label, value, settled, shipped, min, max, unit, disabled, gesture }: Props) {
  const styles = useStyles2(getStyles);
  const place = (of: number): CSSProperties =>
    ({ '--at': max > min ? Math.min(1, Math.max(0, (of - min) / (max - min))) : 0 }) as CSSProperties;
  return (
    <div className={styles.slider} style={place(value)}>
      <input
        type="range"
        className={styles.input}
        aria-label={label}
        aria-valuetext={amount(value, unit)}
        min={min}
        max={max}
        step={step(min, max, settled)}
        value={value}
        disabled={disabled}
        onPointerDown={() => {
          gesture.press();
          endOfPointer(gesture);
        }}
        onKeyDown={(event) => onKey(event, gesture)}
        onKeyUp={({ key }) => KEYS.has(key) && gesture.releaseKey()}
        onBlur={gesture.leave}
        onChange={({ currentTarget }) => gesture.move(currentTarget.valueAsNumber)}
      />
      <div className={styles.legend} aria-hidden>
        <span>{amount(min)}</span>
        {shipped !== undefined && shipped >= min && shipped <= max && (
          <span
            className={styles.mark}
            style={place(shipped)}
            title={t('thresholds.slider.default', 'Default: {{amount}}', { amount: amount(shipped, unit) })}
          >
            ▲
          </span>
        )}
        <span>{amount(max)}</span>
      </div>
    </div>
  );
}

/** The pointer can be released anywhere. A drag that becomes a scroll is cancelled. */
function endOfPointer(gesture: Gesture) {
  const ended = new AbortController();
  const on = (type: string, run: () => void) =>
    window.addEventListener(
      type,
      () => {
        ended.abort();
        run();
      },
      { signal: ended.signal }
    );
  on('pointerup', gesture.release);
  on('pointercancel', gesture.cancel);
}

function onKey({ key }: KeyboardEvent, gesture: Gesture) {
  if (KEYS.has(key)) {
    gesture.press();
  } else if (key === 'Enter') {
    gesture.release();
  } else if (key === 'Escape') {
    gesture.cancel();
  }
}

/** Rail and thumb: pseudo-elements with vendor-specific names. */
const partStyles = (theme: GrafanaTheme2) => {
  const rail = {
    height: 4,
    borderRadius: 2,
    background: `linear-gradient(to right, ${theme.colors.primary.main} var(--fill), ${theme.colors.border.strong} var(--fill))`,
  };
  const thumb = {
    width: 2 * RADIUS,
    height: 2 * RADIUS,
    border: 'none',
    borderRadius: '50%',
    background: theme.colors.primary.main,
  };
  const halo = { boxShadow: `0 0 0 6px ${theme.colors.primary.transparent}` };
  const ring = { boxShadow: `0 0 0 2px ${theme.colors.background.canvas}, 0 0 0 4px ${theme.colors.primary.border}` };
  return {
    '&::-webkit-slider-runnable-track': rail,
    '&::-moz-range-track': rail,
    '&::-webkit-slider-thumb': { ...thumb, appearance: 'none', marginTop: 2 - RADIUS },
    '&::-moz-range-thumb': thumb,
    '&:hover:not(:disabled)::-webkit-slider-thumb': halo,
    '&:hover:not(:disabled)::-moz-range-thumb': halo,
    '&:focus-visible::-webkit-slider-thumb': ring,
    '&:focus-visible::-moz-range-thumb': ring,
  } as const;
};

const getStyles = (theme: GrafanaTheme2) => {
  return {
    slider: css({
      '--fill': `calc(${RADIUS}px + (100% - ${2 * RADIUS}px) * var(--at))`,
      minWidth: 0,
      width: '100%',
    }),
    input: css({
      appearance: 'none',
      display: 'block',
      width: '100%',
      height: 24,
      margin: 0,
      padding: 0,
      background: 'transparent',
      cursor: 'pointer',
      touchAction: 'pan-y',
      '&:focus': { outline: 'none' },
      ...partStyles(theme),
      '&:disabled': { cursor: 'not-allowed', opacity: 0.45, background: 'transparent' },
      '@media (pointer: coarse)': { height: 44 },
    }),
    legend: css({
      position: 'relative',
      display: 'flex',
      justifyContent: 'space-between',
      padding: '0 2px',
      fontSize: theme.typography.bodySmall.fontSize,
      lineHeight: theme.typography.bodySmall.lineHeight,
      color: theme.colors.text.secondary,
      fontVariantNumeric: 'tabular-nums',
      '@media (pointer: coarse)': { marginTop: -10 },
    }),
    mark: css({
      '--fill': `calc(${RADIUS}px + (100% - ${2 * RADIUS}px) * var(--at))`,
      position: 'absolute',
      left: 'var(--fill)',
      top: -9,
      transform: 'translateX(-50%)',
      fontSize: 10,
    }),
  };
};
