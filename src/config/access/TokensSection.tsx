import { css } from '@emotion/css';
import { Alert, Box, Button, Stack, Text } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import type { CreatedToken, Token } from '@nodebell/contract/token.ts';
import { useState } from 'react';
import { adminTokenQuery, tokensQuery } from '../../api/access';
import { absoluteTime } from '../../components/moments';
import { t } from '../../i18n/t';
import { Code } from '../Code';
import { Section } from '../Section';
import { CreateToken } from './CreateToken';
import { NotLoaded } from './NotLoaded';
import { isInGrace, lastUseText, oldTokenText } from './texts';
import { TokenRow } from './TokenRow';
import { List } from '../../components/List';

/** Tokens that are shown at first. */
const SHOWN = 50;

/** Sender tokens, and the state of the admin token. For admins. */
export function TokensSection() {
  const { data, error, refetch } = useQuery(tokensQuery);
  const [secret, setSecret] = useState<CreatedToken>();
  const [all, setAll] = useState(false);
  const changed = () => void refetch();
  const made = (token: CreatedToken) => {
    setSecret(token);
    changed();
  };
  return (
    <Section
      title={t('config.tokens.title', 'Sender tokens')}
      text={t(
        'config.tokens.text',
        'A sender identifies itself with a token. The bridge stores only a hash, so a token is shown once.'
      )}
    >
      <Stack direction="column" gap={2}>
        <AdminToken />
        <CreateToken onCreated={made} />
        {secret && (
          <Alert
            severity="success"
            title={t('config.tokens.made', 'Token of “{{name}}”. It will not be shown again.', { name: secret.name })}
            onRemove={() => setSecret(undefined)}
          >
            {/* On a phone, the whole token is shown. */}
            <div className={styles.secret}>
              <Code label={t('config.tokens.token', 'Token')} text={secret.token} />
            </div>
            {isInGrace(secret.previous) && <Box marginTop={1}>{oldTokenText(secret.previous)}</Box>}
          </Alert>
        )}
        {data ? (
          <Tokens tokens={all ? data : sorted(data).slice(0, SHOWN)} onRotated={made} onChanged={changed} />
        ) : (
          <NotLoaded error={error} onRetry={changed} />
        )}
        {data && data.length > SHOWN && !all && (
          <div>
            <Button variant="secondary" fill="text" onClick={() => setAll(true)}>
              {t('config.tokens.all', '', {
                count: data.length,
                defaultValue_one: 'Show {{count, number}} token',
                defaultValue_other: 'Show all {{count, number}} tokens',
              })}
            </Button>
          </div>
        )}
      </Stack>
    </Section>
  );
}

/** Valid tokens first, then the newest. */
const sorted = (tokens: readonly Token[]): Token[] =>
  [...tokens].sort(
    (a, b) =>
      Number(a.revokedAt !== null) - Number(b.revokedAt !== null) || Date.parse(b.createdAt) - Date.parse(a.createdAt)
  );

interface TokensProps {
  tokens: readonly Token[];
  onRotated: (token: CreatedToken) => void;
  onChanged: () => void;
}

function Tokens({ tokens, ...handlers }: TokensProps) {
  return tokens.length === 0 ? (
    <Text element="p" color="secondary">
      {t('config.tokens.none', 'No sender tokens yet.')}
    </Text>
  ) : (
    <List divided aria-label={t('config.tokens.title', 'Sender tokens')}>
      {sorted(tokens).map((token) => (
        <TokenRow key={token.id} token={token} {...handlers} />
      ))}
    </List>
  );
}

/** Shown while Grafana may still send the old admin token. */
function AdminToken() {
  const { data } = useQuery(adminTokenQuery);
  const previous = data?.previous ?? null;
  if (!isInGrace(previous)) {
    return null;
  }
  const title =
    previous.validUntil === null
      ? t('config.tokens.admin-rotated', 'The admin token was rotated. The old one is still valid.')
      : t('config.tokens.admin-rotated-until', 'The admin token was rotated. The old one is valid until {{date}}.', {
          date: absoluteTime(previous.validUntil),
        });
  return (
    <Alert severity="warning" title={title}>
      {t('config.tokens.admin-configure', 'Configure the new token above before the old one expires.')}{' '}
      {lastUseText(previous)}
    </Alert>
  );
}

const styles = {
  secret: css({ '& pre': { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } }),
};
