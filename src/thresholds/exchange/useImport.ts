import { useState } from 'react';
import type { Imported } from '@nodebell/contract/settings.ts';
import { type BridgeError, toBridgeError } from '../../api/errors';
import { importSettings } from '../../api/thresholdSettings';

type State =
  | { step: 'editing' }
  | { step: 'requesting' }
  | { step: 'previewed'; preview: Imported }
  | { step: 'done'; result: Imported }
  | { step: 'failed'; error: BridgeError };

/** State of the import dialog: settings are previewed first and then applied unchanged. */
export function useImport() {
  const [text, setText] = useState('');
  const [state, setState] = useState<State>({ step: 'editing' });
  const request = async (dryRun: boolean) => {
    setState({ step: 'requesting' });
    try {
      const response = await importSettings(text, dryRun);
      setState(dryRun ? { step: 'previewed', preview: response } : { step: 'done', result: response });
    } catch (thrown) {
      setState({ step: 'failed', error: toBridgeError(thrown) });
    }
  };
  return {
    text,
    state,
    /** Editing the text invalidates the preview. */
    edit: (next: string) => {
      setText(next);
      setState({ step: 'editing' });
    },
    preview: () => void request(true),
    apply: () => void request(false),
  };
}
