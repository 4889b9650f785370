import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { FieldValidationMessage, Input, useStyles2 } from '@grafana/ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { LIMITS } from '@nodebell/contract/limits.ts';
import { listLabels } from '../api/notifications';
import { t } from '../i18n/t';
import { complete, type Completable, completableAt, mistakeOf, operatorsWith } from './matchers';

interface Props {
  value: string;
  onChange: (matchers: string) => void;
  /**
   * In a form, all text is applied while the user types: if the layout changed when the field is left, a press on a button
   * below would miss it. True once the form shows the field as invalid.
   */
  invalid?: boolean;
}

/** Matchers of labels, with completion of names and values. Valid text is applied on Enter, and when the field is left. */
export function MatchersField({ value, onChange, invalid }: Props) {
  const styles = useStyles2(getStyles);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { typed, caret, mistake, isOpen, edit, setCaret, close, apply } = useTyped(value, onChange, invalid);
  const isInvalid = invalid ?? mistake !== undefined;
  const at = isOpen ? completableAt(typed, caret) : undefined;
  const options = useOptions(at);
  const [active, setActive] = useActive(options);
  const choose = (option: string) => {
    const done = complete(typed, at!, option);
    edit(done.text, done.caret);
    // After React has written the value, which moves the caret to the end.
    requestAnimationFrame(() => input.current?.setSelectionRange(done.caret, done.caret));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      setActive((active + step + options.length + 1) % (options.length + 1));
    } else if ((event.key === 'Enter' || event.key === 'Tab') && active < options.length) {
      choose(options[active]!);
    } else if (event.key === 'Enter') {
      apply();
    } else if (event.key === 'Escape' && options.length > 0) {
      close();
    } else {
      return;
    }
    event.preventDefault();
  };
  const label = t('inbox.filter.labels', 'Labels');
  return (
    <div className={styles.field}>
      <Input
        ref={input}
        {...{ 'aria-label': label, 'aria-invalid': isInvalid, 'aria-describedby': `${id}-mistake` }}
        {...{ role: 'combobox', 'aria-expanded': options.length > 0, 'aria-controls': id, 'aria-autocomplete': 'list' }}
        aria-activedescendant={active < options.length ? `${id}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={t('inbox.filter.labels-example', 'Labels, such as instance="node1"')}
        maxLength={LIMITS.matchersCharacters.value}
        invalid={isInvalid}
        value={typed}
        onChange={({ currentTarget }) =>
          edit(currentTarget.value, currentTarget.selectionStart ?? currentTarget.value.length)
        }
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
        onBlur={apply}
        onKeyDown={onKeyDown}
      />
      {options.length > 0 && <Options {...{ id, label, options, active, setActive, choose }} />}
      <div id={`${id}-mistake`} aria-live="polite">
        {mistake !== undefined && <FieldValidationMessage>{mistake}</FieldValidationMessage>}
      </div>
    </div>
  );
}

interface OptionsProps {
  id: string;
  label: string;
  options: readonly string[];
  active: number;
  setActive: (index: number) => void;
  choose: (option: string) => void;
}

function Options({ id, label, options, active, setActive, choose }: OptionsProps) {
  const styles = useStyles2(getStyles);
  return (
    <ul id={id} role="listbox" aria-label={label} className={styles.options}>
      {options.map((option, index) => (
        <li
          key={option}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={cx(styles.option, index === active && styles.active)}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(option)}
          onMouseEnter={() => setActive(index)}
        >
          {option}
        </li>
      ))}
    </ul>
  );
}

/** The text of the field; a changed view replaces it. */
function useTyped(value: string, onChange: Props['onChange'], invalid: boolean | undefined) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [caret, setCaret] = useState(0);
  const [mistake, setMistake] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  if (value !== known) {
    setKnown(value);
    setTyped(value);
    setMistake(undefined);
  }
  return {
    ...{ typed, caret, isOpen, setCaret },
    // The URL may contain invalid matchers.
    mistake: mistake ?? ((invalid ?? typed === value) ? mistakeOf(value) : undefined),
    edit: (text: string, at: number) => {
      setTyped(text);
      setCaret(at);
      setMistake(undefined);
      setOpen(true);
      if (invalid !== undefined) {
        // A form that does not accept it keeps its value, which then replaces the text.
        setKnown(text.trim());
        onChange(text.trim());
      }
    },
    close: () => setOpen(false),
    apply: () => {
      setOpen(false);
      if (invalid !== undefined) {
        return;
      }
      const text = typed.trim();
      const found = mistakeOf(text);
      setMistake(found);
      if (found === undefined && text !== value) {
        onChange(text);
      }
    },
  };
}

/** Shown at once; a longer beginning lists the others. */
const MOST_OPTIONS = 8;
const TYPING_MS = 150;

function useOptions(at: Completable | undefined): string[] {
  const query = at === undefined || at.kind === 'operator' ? undefined : queryOf(at);
  const key = JSON.stringify(query);
  const [asked, setAsked] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setAsked(key), TYPING_MS);
    return () => clearTimeout(timer);
  }, [key]);
  const { data } = useQuery({
    queryKey: ['inbox', 'labels', asked],
    queryFn: ({ signal }) => listLabels(JSON.parse(asked!) as NonNullable<typeof query>, signal),
    enabled: query !== undefined && asked === key,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  if (at === undefined) {
    return [];
  }
  const found = at.kind === 'operator' ? operatorsWith(at.prefix) : asked === key ? (data?.texts ?? []) : [];
  return found.filter((text) => text.startsWith(at.prefix) && text !== at.prefix).slice(0, MOST_OPTIONS);
}

const queryOf = ({ kind, name, prefix }: Completable) => ({ prefix, ...(kind === 'value' && { name }) });

/** None is active until an arrow key is pressed, so that Enter applies what was typed. */
function useActive(options: readonly string[]) {
  const key = options.join('\n');
  const [state, setState] = useState({ key, active: options.length });
  const active = state.key === key ? state.active : options.length;
  return [active, (next: number) => setState({ key, active: next })] as const;
}

const getStyles = (theme: GrafanaTheme2) => ({
  field: css({ position: 'relative' }),
  options: css({
    listStyle: 'none',
    position: 'absolute',
    zIndex: theme.zIndex.dropdown,
    top: '100%',
    left: 0,
    minWidth: '100%',
    maxWidth: 'min(480px, 90vw)',
    maxHeight: '40vh',
    overflow: 'auto',
    padding: theme.spacing(0.5),
    background: theme.colors.background.elevated,
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
    boxShadow: theme.shadows.z3,
  }),
  option: css({
    padding: theme.spacing(0.5, 1),
    borderRadius: theme.shape.radius.default,
    cursor: 'pointer',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  }),
  active: css({ background: theme.colors.action.hover }),
});
