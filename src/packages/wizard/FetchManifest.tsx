import { Button, Field, Input, Stack } from '@grafana/ui';
import { useState, type FormEvent } from 'react';
import { toBridgeError } from '../../api/errors';
import { fetchManifest } from '../../api/packages';
import { t } from '../../i18n/t';

const fetchedWords = (name: string): string =>
  name
    ? t('packages.fetch.done', 'Fetched {{name}}.', { name })
    : t('packages.fetch.done-unnamed', 'Fetched the manifest.');

/** Has the bridge fetch a manifest from an address. */
export function FetchManifest({ onText }: { onText: (text: string) => void }) {
  const [url, setUrl] = useState('');
  const [state, setState] = useState<{ busy: boolean; problem?: string; done?: string }>({ busy: false });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setState({ busy: true });
    try {
      const { text, name } = await fetchManifest(url.trim());
      onText(text);
      setState({ busy: false, done: fetchedWords(name) });
    } catch (thrown) {
      setState({ busy: false, problem: toBridgeError(thrown).message });
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Field
        noMargin
        label={t('packages.fetch.label', 'Or fetch from a URL')}
        htmlFor="manifest-address"
        description={
          state.done ??
          t('packages.fetch.help', 'The bridge fetches the file. Private network addresses are not allowed.')
        }
        invalid={state.problem !== undefined}
        error={state.problem}
      >
        {/* Field hands its state to its child, and a Stack is no input; past a fragment it does not go. */}
        <>
          <Stack gap={1}>
            <Input
              invalid={state.problem !== undefined}
              id="manifest-address"
              type="url"
              // An address is an address in any language.
              // eslint-disable-next-line @grafana/i18n/no-untranslated-strings
              placeholder="https://…/dappnode_package.json"
              value={url}
              onChange={({ currentTarget }) => setUrl(currentTarget.value)}
            />
            <Button type="submit" variant="secondary" disabled={state.busy || url.trim() === ''}>
              {state.busy ? t('packages.fetch.busy', 'Fetching…') : t('packages.fetch.fetch', 'Fetch')}
            </Button>
          </Stack>
        </>
      </Field>
    </form>
  );
}
