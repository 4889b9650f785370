/** A form that sends its draft to the bridge: validated by a schema of the contract, with the errors of both. */
import { useMutation } from '@tanstack/react-query';
import { type RefObject, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';

interface Options<Draft, Body> {
  initial: () => Draft;
  /** The draft as the schema reads it. */
  parse: (draft: Draft) => z.ZodSafeParseResult<Body>;
  /** Texts of errors, by member of the body. */
  errors: Partial<Record<string, () => string>>;
  save: (body: Body) => Promise<unknown>;
  /** Saved, and the form is still shown. */
  onDone: () => void;
}

/** `invalid`: paths of members that are invalid, once the form was submitted. */
export function useDraftForm<Draft, Body>({ initial, parse, errors, save: send, onDone }: Options<Draft, Body>) {
  const [draft, setDraft] = useState(initial);
  const [tries, setTries] = useState(0);
  const form = useRef<HTMLFormElement | null>(null);
  const save = useMutation({ mutationFn: send, meta: { quiet: true } });
  useFocusOnInvalid(form, tries, save.error);
  const parsed = parse(draft);
  const invalid = tries > 0 && !parsed.success ? parsed.error.issues.map(({ path }) => path.join('.')) : [];
  return {
    draft,
    save,
    invalid,
    change: (part: Partial<Draft>) => {
      // Saving closes the form: a change meanwhile would be lost.
      if (!save.isPending) {
        setDraft({ ...draft, ...part });
        save.reset();
      }
    },
    submit: (event: SyntheticEvent<HTMLFormElement>) => {
      event.preventDefault();
      form.current = event.currentTarget;
      setTries(tries + 1);
      if (parsed.success) {
        save.mutate(parsed.data, { onSuccess: onDone });
      }
    },
    errorOf: (member: string & keyof Body): string | undefined =>
      invalid.includes(member)
        ? errors[member]?.()
        : save.error?.problem?.errors.find(({ pointer }) => pointer === `/${member}`)?.detail,
  };
}

/** Moves the focus to the first invalid field when the form is submitted, and when the bridge rejects it; not while the user types. */
function useFocusOnInvalid(form: RefObject<HTMLFormElement | null>, tries: number, error: unknown) {
  useEffect(() => focusOnInvalid(form.current), [form, tries]);
  useEffect(() => {
    if (error !== null) {
      focusOnInvalid(form.current);
    }
  }, [form, error]);
}

const focusOnInvalid = (form: HTMLFormElement | null): void =>
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
