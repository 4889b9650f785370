import { Badge, Box, ConfirmModal, RadioButtonGroup, Stack, Text } from '@grafana/ui';
import { useMutation } from '@tanstack/react-query';
import { type CreatedToken, DEFAULT_GRACE_HOURS, type Token } from '@nodebell/contract/token.ts';
import { useState } from 'react';
import { TOKENS } from '@nodebell/contract/api/tokens.ts';
import { call } from '../../api/client';
import { fullDate } from '../../components/moments';
import { days, hours } from '../../components/time';
import { t } from '../../i18n/t';
import { isInGrace, lastUseText, oldTokenText } from './texts';
import { SecondaryText } from '../../components/SecondaryText';
import { SmallButton } from '../../components/SmallButton';

interface Props {
  token: Token;
  onRotated: (token: CreatedToken) => void;
  onChanged: () => void;
}

/** A sender token in the list. */
export function TokenRow({ token, onRotated, onChanged }: Props) {
  const { name, packages, createdAt, revokedAt, file } = token;
  const facts = [
    packages.length === 0 ? t('config.tokens.any-package', 'Any package') : packages.join(', '),
    t('config.tokens.created', 'Created {{date}}', { date: fullDate(createdAt) }),
    lastUseText(token),
    ...(file === undefined ? [] : [t('config.tokens.provisioned', 'Provisioned by {{file}}', { file })]),
  ];
  return (
    <li>
      <Stack wrap alignItems="flex-start">
        <Box flex="1 1 260px" minWidth={0}>
          <Stack alignItems="center">
            <Text weight="medium">{name}</Text>
            {revokedAt !== null && <Badge color="red" text={t('config.tokens.revoked', 'Revoked')} />}
          </Stack>
          <SecondaryText element="p">{facts.join(' · ')}</SecondaryText>
          {revokedAt === null && isInGrace(token.previous) && (
            <Text element="p" color="warning" variant="bodySmall">
              {oldTokenText(token.previous)}
            </Text>
          )}
        </Box>
        {revokedAt === null && file === undefined && (
          <Actions token={token} onRotated={onRotated} onChanged={onChanged} />
        )}
      </Stack>
    </li>
  );
}

function Actions({ token, onRotated, onChanged }: Props) {
  const [asking, setAsking] = useState<'rotate' | 'revoke'>();
  const done = () => setAsking(undefined);
  const rotating = useMutation({
    mutationFn: (graceHours: number) => call(TOKENS.rotateToken, { params: { id: token.id }, body: { graceHours } }),
    meta: { failure: t('config.tokens.not-rotated', 'Could not rotate the token') },
    onSuccess: onRotated,
    onSettled: done,
  });
  const revoking = useMutation({
    mutationFn: () => call(TOKENS.revokeToken, { params: { id: token.id } }),
    meta: { failure: t('config.tokens.not-revoked', 'Could not revoke the token') },
    onSuccess: onChanged,
    onSettled: done,
  });
  const { name } = token;
  return (
    <Stack>
      <SmallButton
        aria-label={t('config.tokens.rotate-what', 'Rotate {{name}}', { name })}
        onClick={() => setAsking('rotate')}
      >
        {t('config.tokens.rotate', 'Rotate')}
      </SmallButton>
      <SmallButton
        aria-label={t('config.tokens.revoke-what', 'Revoke {{name}}', { name })}
        onClick={() => setAsking('revoke')}
      >
        {t('config.tokens.revoke', 'Revoke')}
      </SmallButton>
      <RotateModal
        name={name}
        isOpen={asking === 'rotate'}
        onConfirm={(graceHours) => rotating.mutate(graceHours)}
        onDismiss={done}
      />
      <ConfirmModal
        isOpen={asking === 'revoke'}
        title={t('config.tokens.revoke-title', 'Revoke the token of “{{name}}”?', { name })}
        body={t('config.tokens.revoke-text', 'It is rejected immediately. This cannot be undone.')}
        confirmText={t('config.tokens.revoke', 'Revoke')}
        onConfirm={() => revoking.mutate()}
        onDismiss={done}
      />
    </Stack>
  );
}

interface RotateModalProps {
  name: string;
  isOpen: boolean;
  onConfirm: (graceHours: number) => void;
  onDismiss: () => void;
}

function RotateModal({ name, isOpen, onConfirm, onDismiss }: RotateModalProps) {
  const [grace, setGrace] = useState(DEFAULT_GRACE_HOURS);
  return (
    <ConfirmModal
      isOpen={isOpen}
      title={t('config.tokens.rotate-title', 'Rotate the token of “{{name}}”?', { name })}
      body={t('config.tokens.rotate-text', 'A new token is created. How long does the old one remain valid?')}
      description={
        <RadioButtonGroup
          aria-label={t('config.tokens.grace', 'Grace period')}
          options={[0, 1, DEFAULT_GRACE_HOURS, 168].map((value) => ({ value, label: graceLabel(value) }))}
          value={grace}
          onChange={setGrace}
        />
      }
      confirmText={t('config.tokens.rotate', 'Rotate')}
      // oxlint-disable-next-line typescript/no-deprecated -- Grafana 12 has no confirmVariant
      confirmButtonVariant="primary"
      onConfirm={() => onConfirm(grace)}
      onDismiss={onDismiss}
    />
  );
}

const graceLabel = (value: number): string =>
  value === 0 ? t('config.tokens.no-grace', 'Not at all') : value < 48 ? hours(value) : days(value / 24);
