import { Box, SecretInput, Stack, Text } from '@grafana/ui';
import { useState, type SyntheticEvent } from 'react';
import { FormField, TextField } from '../components/TextField';
import { t } from '../i18n/t';
import { readAddress } from './address';
import { PendingButton } from '../components/PendingButton';

export interface Entered {
  bridgeUrl: string;
  /** Undefined: unchanged. */
  bridgeToken?: string;
}

interface Props {
  /** The saved URL. */
  bridgeUrl: string;
  tokenSet: boolean;
  busy: 'saving' | 'testing' | undefined;
  failure: string | undefined;
  /** @returns whether it was saved */
  onSave: (entered: Entered) => Promise<boolean>;
  onTest: () => void;
}

/** URL and token of the bridge. A saved token is never shown; it can only be replaced. */
export function BridgeForm({ bridgeUrl, tokenSet, busy, failure, onSave, onTest }: Props) {
  const [input, setInput] = useState(bridgeUrl);
  const [token, setToken] = useState('');
  const [replacing, setReplacing] = useState(false);
  const [touched, setTouched] = useState(false);
  const address = readAddress(input);
  const error = 'error' in address ? address.error : undefined;
  const saving = busy === 'saving';
  const changed = input !== bridgeUrl || token.trim() !== '';

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTouched(true);
    if ('url' in address) {
      setInput(address.url);
      if (await onSave({ bridgeUrl: address.url, ...(token.trim() !== '' && { bridgeToken: token.trim() }) })) {
        setToken('');
        setReplacing(false);
      }
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack direction="column" gap={2} maxWidth="480px">
        <TextField
          id="nodebell-bridge-url"
          label={t('config.form.address', 'URL')}
          required
          description={t('config.form.address-help', 'Must be reachable from the Grafana server')}
          value={input}
          error={touched ? error : undefined}
          // URLs are not translated.
          // eslint-disable-next-line @grafana/i18n/no-untranslated-strings
          placeholder="http://nodebell-bridge:8080"
          onChange={(next) => !saving && setInput(next)}
          onBlur={() => setTouched(input !== '')}
        />
        <FormField
          label={t('config.form.token', 'Token')}
          description={t(
            'config.form.token-help',
            'Admin token, from the file admin-token in the bridge’s data directory'
          )}
        >
          <SecretInput
            id="nodebell-bridge-token"
            isConfigured={tokenSet && !replacing}
            value={token}
            autoComplete="off"
            onReset={() => setReplacing(true)}
            // Saving clears it: a change meanwhile would be lost.
            onChange={({ currentTarget }) => !saving && setToken(currentTarget.value)}
          />
        </FormField>
      </Stack>
      <Buttons busy={busy} changed={changed} testable={bridgeUrl !== ''} onTest={onTest} />
      {failure !== undefined && <Failure reason={failure} />}
    </form>
  );
}

interface ButtonsProps extends Pick<Props, 'busy' | 'onTest'> {
  changed: boolean;
  /** There is a saved URL. */
  testable: boolean;
}

function Buttons({ busy, changed, testable, onTest }: ButtonsProps) {
  return (
    <Box marginTop={2}>
      <Stack wrap alignItems="center">
        <PendingButton type="submit" pending={busy !== undefined} disabled={!changed}>
          {busy === 'saving' ? t('config.form.saving', 'Saving…') : t('config.form.save', 'Save & test')}
        </PendingButton>
        <PendingButton
          variant="secondary"
          icon="plug"
          pending={busy !== undefined}
          disabled={changed || !testable}
          onClick={onTest}
        >
          {busy === 'testing' ? t('config.form.testing', 'Testing…') : t('config.form.test', 'Test connection')}
        </PendingButton>
      </Stack>
    </Box>
  );
}

const Failure = ({ reason }: { reason: string }) => (
  <Box marginTop={1} role="alert">
    <Text color="error">{t('config.form.not-saved', 'Could not save the settings. {{reason}}', { reason })}</Text>
  </Box>
);
