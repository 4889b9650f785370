import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, Field, Input, SecretInput, useStyles2 } from '@grafana/ui';
import { useState, type SyntheticEvent } from 'react';
import { t } from '../i18n/t';
import { readAddress } from './address';

export interface Entered {
  bridgeUrl: string;
  /** Undefined: as it is. */
  bridgeToken?: string;
}

interface Props {
  /** As it is saved. */
  bridgeUrl: string;
  tokenSet: boolean;
  busy: 'saving' | 'testing' | undefined;
  failure: string | undefined;
  onSave: (entered: Entered) => void;
  onTest: () => void;
}

/** Address and token of the bridge. A token that is saved is never shown; it can only be replaced. */
export function BridgeForm({ bridgeUrl, tokenSet, busy, failure, onSave, onTest }: Props) {
  const styles = useStyles2(getStyles);
  const [typed, setTyped] = useState(bridgeUrl);
  const [token, setToken] = useState('');
  const [replacing, setReplacing] = useState(false);
  const [tried, setTried] = useState(false);
  const address = readAddress(typed);
  const mistake = 'mistake' in address ? address.mistake : undefined;
  const changed = typed !== bridgeUrl || token.trim() !== '';

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if ('url' in address) {
      setTyped(address.url);
      setToken('');
      setReplacing(false);
      onSave({ bridgeUrl: address.url, ...(token.trim() !== '' && { bridgeToken: token.trim() }) });
    }
  };

  return (
    <form onSubmit={submit} noValidate>
      <Field
        label={t('config.form.address', 'URL')}
        required
        description={t('config.form.address-help', 'Must be reachable from the Grafana server')}
        invalid={tried && mistake !== undefined}
        error={mistake}
      >
        <Input
          id="nodebell-bridge-url"
          className={styles.input}
          value={typed}
          // An address is an address in any language.
          // eslint-disable-next-line @grafana/i18n/no-untranslated-strings
          placeholder="http://nodebell-bridge:8080"
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onBlur={() => setTried(typed !== '')}
        />
      </Field>
      <Field
        label={t('config.form.token', 'Token')}
        description={t(
          'config.form.token-help',
          'Admin token, from the file admin-token in the bridge’s data directory'
        )}
      >
        <SecretInput
          id="nodebell-bridge-token"
          className={styles.input}
          isConfigured={tokenSet && !replacing}
          value={token}
          autoComplete="off"
          onReset={() => setReplacing(true)}
          onChange={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </Field>
      <div className={styles.buttons}>
        <Button type="submit" disabled={busy !== undefined || !changed}>
          {busy === 'saving' ? t('config.form.saving', 'Saving…') : t('config.form.save', 'Save & test')}
        </Button>
        <Button
          type="button"
          variant="secondary"
          icon="plug"
          disabled={busy !== undefined || changed || bridgeUrl === ''}
          onClick={onTest}
        >
          {busy === 'testing' ? t('config.form.testing', 'Testing…') : t('config.form.test', 'Test connection')}
        </Button>
      </div>
      {failure !== undefined && (
        <p role="alert" className={styles.failure}>
          {t('config.form.not-saved', 'Could not save the settings. {{reason}}', { reason: failure })}
        </p>
      )}
    </form>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  input: css({ maxWidth: 480 }),
  buttons: css({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(1) }),
  failure: css({ margin: theme.spacing(1, 0, 0), color: theme.colors.error.text }),
});
