import { Box, Stack } from '@grafana/ui';
import { useMutation } from '@tanstack/react-query';
import type { CreatedToken, TokenBody } from '@nodebell/contract/token.ts';
import { useState } from 'react';
import { TOKENS } from '@nodebell/contract/api/tokens.ts';
import { call } from '../../api/client';
import { TextField } from '../../components/TextField';
import { t } from '../../i18n/t';
import { PendingButton } from '../../components/PendingButton';

/** Creates a sender token. */
export function CreateToken({ onCreated }: { onCreated: (token: CreatedToken) => void }) {
  const [name, setName] = useState('');
  const [packages, setPackages] = useState('');
  const { mutate, isPending } = useMutation({
    mutationFn: (body: TokenBody) => call(TOKENS.createToken, { body }),
    meta: { failure: t('config.tokens.not-created', 'Could not create the token') },
    onSuccess(token) {
      setName('');
      setPackages('');
      onCreated(token);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate({ name: name.trim(), packages: packages.split(/[\s,]+/).filter((one) => one !== '') });
      }}
    >
      <Stack wrap alignItems="flex-end">
        <Box flex="1 1 200px" minWidth={0}>
          <TextField
            id="nodebell-token-name"
            label={t('config.tokens.name', 'Name')}
            value={name}
            maxLength={100}
            placeholder={t('config.tokens.name-example', 'backup job')}
            onChange={setName}
          />
        </Box>
        <Box flex="1 1 200px" minWidth={0}>
          <TextField
            id="nodebell-token-packages"
            label={t('config.tokens.packages', 'Packages')}
            value={packages}
            placeholder={t('config.tokens.packages-any', 'any, or names separated by commas')}
            onChange={setPackages}
          />
        </Box>
        <PendingButton type="submit" variant="secondary" pending={isPending} disabled={name.trim() === ''}>
          {t('config.tokens.create', 'Create token')}
        </PendingButton>
      </Stack>
    </form>
  );
}
