import { css } from '@emotion/css';
import { Input } from '@grafana/ui';
import { useId, useState, type KeyboardEvent } from 'react';
import { step } from '@nodebell/contract/condition.ts';
import { t } from '../../i18n/t';
import type { Gesture } from '../gesture';
import { readNumber } from '../readNumber';
import { amount, figure } from '../messages';
import { Problem } from './Sign';

interface Props {
  label: string;
  value: number;
  /** Value at the start of the gesture: its decimals determine the step. */
  settled: number;
  min: number;
  max: number;
  unit: string | undefined;
  disabled: boolean;
  gesture: Gesture;
  /** Accepts numbers out of range as well: the range is that of the slider only. */
  free?: boolean;
}

const ANY = { min: -Number.MAX_VALUE, max: Number.MAX_VALUE };

/** Holds the typed text until it is committed or cancelled. */
function useTyping({ value, settled, min, max, unit, gesture, free }: Props) {
  const [typed, setTyped] = useState<string>();
  const allowed = free ? ANY : { min, max };
  const read = typed === undefined ? value : readNumber(typed, { ...allowed, unit });
  const problem = typeof read === 'string' ? read : undefined;
  const finish = () => {
    if (problem === undefined) {
      setTyped(undefined);
      gesture.leave();
    }
  };
  const type = (text: string) => {
    setTyped(text);
    const next = readNumber(text, { ...allowed, unit });
    // An incomplete number is neither shown elsewhere nor saved.
    if (typeof next === 'number') {
      gesture.press();
      gesture.move(next);
    } else {
      gesture.cancel();
    }
  };
  const stepBy = (steps: number) => {
    const next = Number((value + steps * step(min, max, settled)).toFixed(12));
    setTyped(undefined);
    gesture.press();
    gesture.move(Math.min(allowed.max, Math.max(allowed.min, next)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      finish();
    } else if (event.key === 'Escape') {
      setTyped(undefined);
      gesture.cancel();
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault();
      stepBy(event.key === 'ArrowUp' ? 1 : -1);
    }
  };
  const onKeyUp = ({ key }: KeyboardEvent) => (key === 'ArrowUp' || key === 'ArrowDown') && gesture.releaseKey();
  return { text: typed ?? figure(value), problem, type, handlers: { onKeyDown, onKeyUp, onBlur: finish } };
}

/** Accepts any number in range, also between the steps of the slider. Invalid input stays in the field with an error and is not saved. */
export function NumberField(props: Props) {
  const { label, value, min, max, unit, disabled, free } = props;
  const id = useId();
  const { text, problem, type, handlers } = useTyping(props);
  return (
    <div>
      <Input
        role="spinbutton"
        inputMode="decimal"
        autoComplete="off"
        aria-label={label}
        aria-valuenow={value}
        aria-valuetext={amount(value, unit)}
        aria-valuemin={free ? undefined : min}
        aria-valuemax={free ? undefined : max}
        aria-invalid={problem !== undefined}
        aria-describedby={problem && id}
        invalid={problem !== undefined}
        disabled={disabled}
        value={text}
        suffix={
          unit && (
            <span dir="auto" title={unit} className={suffix}>
              {unit}
            </span>
          )
        }
        onChange={({ currentTarget }) => type(currentTarget.value)}
        {...handlers}
      />
      {problem && (
        <Problem
          id={id}
        >{`${problem} ${t('thresholds.number.stays', '{{amount}} stays in effect.', { amount: amount(value, unit) })}`}</Problem>
      )}
    </div>
  );
}

/** The whole unit stands below the slider; a long one leaves room for the number. */
const suffix = css({ maxWidth: 56, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' });
