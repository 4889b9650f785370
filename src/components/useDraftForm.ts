/** A form that sends its draft to the bridge: validated by a schema of the contract, with the errors of both. */
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import type { z } from 'zod';

interface Options<Draft, Body> {
  initial: () => Draft;
  /** The draft as the schema reads it. */
  parse: (draft: Draft) => z.ZodSafeParseResult<Body>;
  /** Texts of errors, by member of the body. */
  errors: Partial<Record<string, () => string>>;
  save: (body: Body) => Promise<unknown>;
  onDone: () => void;
}

/** `invalid`: paths of members that are invalid, once the form was submitted. */
export function useDraftForm<Draft, Body>({ initial, parse, errors, save: send, onDone }: Options<Draft, Body>) {
  const [draft, setDraft] = useState(initial);
  const [isTried, setTried] = useState(false);
  const save = useMutation({ mutationFn: send, meta: { quiet: true }, onSuccess: onDone });
  const parsed = parse(draft);
  const invalid = isTried && !parsed.success ? parsed.error.issues.map(({ path }) => path.join('.')) : [];
  return {
    draft,
    save,
    invalid,
    change: (part: Partial<Draft>) => {
      setDraft({ ...draft, ...part });
      save.reset();
    },
    submit: (event: SyntheticEvent) => {
      event.preventDefault();
      setTried(true);
      if (parsed.success) {
        save.mutate(parsed.data);
      }
    },
    errorOf: (member: string & keyof Body): string | undefined =>
      invalid.includes(member)
        ? errors[member]?.()
        : save.error?.problem?.errors.find(({ pointer }) => pointer === `/${member}`)?.detail,
  };
}
