import { useState } from 'react';
import type { Imported } from '@nodebell/contract/settings.ts';
import { type BridgeError, toBridgeError } from '../../api/errors';
import { importSettings } from '../../api/thresholdSettings';

type State =
  | { step: 'writing' }
  | { step: 'asking' }
  | { step: 'checked'; would: Imported }
  | { step: 'done'; did: Imported }
  | { step: 'failed'; error: BridgeError };

/** Settings are checked first, and taken in as they were checked. */
export function useImport() {
  const [text, setText] = useState('');
  const [state, setState] = useState<State>({ step: 'writing' });
  const ask = async (dryRun: boolean) => {
    setState({ step: 'asking' });
    try {
      const answer = await importSettings(text, dryRun);
      setState(dryRun ? { step: 'checked', would: answer } : { step: 'done', did: answer });
    } catch (thrown) {
      setState({ step: 'failed', error: toBridgeError(thrown) });
    }
  };
  return {
    text,
    state,
    /** What was checked before is not what stands there now. */
    write: (next: string) => {
      setText(next);
      setState({ step: 'writing' });
    },
    check: () => void ask(true),
    take: () => void ask(false),
  };
}
