import { Button, Box, ConfirmModal, Stack } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import {
  isActive,
  type RetentionPolicy,
  type RetentionPreview,
  type RetentionStatus,
  SUGGESTED_POLICY,
} from '@nodebell/contract/retention.ts';
import { type SyntheticEvent, useState } from 'react';
import { listCategories } from '../../api/notifications';
import { AlertWithAction } from '../../components/AlertWithAction';
import { notificationCount } from '../../components/messages';
import { sizeText } from '../../components/size';
import { formatNumber } from '../../i18n/locale';
import { t } from '../../i18n/t';
import { type Draft, type Mistakes, NEW_RULE, readDraft, toDraft } from './draft';
import { LimitFields } from './LimitFields';
import { RuleFields } from './RuleFields';
import { useSaving } from './useSaving';
import { SmallButton } from '../../components/SmallButton';
import { PendingButton } from '../../components/PendingButton';

/** The policy as a form. Saving requires confirmation if notifications would be removed now. */
export function RetentionForm({ status }: { status: RetentionStatus }) {
  const { edited, revision, setEdited } = useEdited(status);
  const categories = useQuery({ queryKey: ['retention-categories'], queryFn: ({ signal }) => listCategories(signal) });
  const { apply, confirm, confirming, dismiss, busy, preview, save, error, isConflict, reset } = useSaving(
    revision,
    () => setEdited(undefined)
  );
  const draft = edited ?? toDraft(status.policy);
  const result = readDraft(draft);
  const mistakes: Mistakes = 'mistakes' in result ? result.mistakes : {};

  const change = (part: Partial<Draft>) => {
    // Saving replaces the draft: a change meanwhile would be lost.
    if (!save.isPending) {
      reset();
      setEdited({ ...draft, ...part });
    }
  };
  const discard = () => {
    reset();
    setEdited(undefined);
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if ('policy' in result) {
      apply(result.policy);
    }
  };

  return (
    <form onSubmit={submit} noValidate>
      {!isActive(status.policy) && draft.rules.length === 0 && <Suggestion busy={busy} onApply={apply} />}
      {draft.rules.map((rule, index) => (
        <RuleFields
          key={index}
          rule={rule}
          index={index}
          categories={(categories.data ?? []).map(({ category }) => category)}
          mistakes={mistakes}
          onChange={(next) => change({ rules: draft.rules.with(index, next) })}
          onRemove={() => change({ rules: draft.rules.toSpliced(index, 1) })}
        />
      ))}
      <AddRule onAdd={() => change({ rules: [...draft.rules, NEW_RULE] })} />
      <LimitFields draft={draft} mistakes={mistakes} onChange={change} />
      <Buttons
        busy={busy}
        isEdited={edited !== undefined}
        policy={'policy' in result ? result.policy : undefined}
        saving={save.isPending}
        previewing={preview.isPending}
        onPreview={(policy) => preview.mutate(policy)}
        onDiscard={discard}
      />
      <Outcome
        found={confirming ? undefined : preview.data}
        error={error}
        onReload={isConflict ? discard : undefined}
      />
      <ConfirmRemoval found={confirming?.preview} onConfirm={confirm} onDismiss={dismiss} />
    </form>
  );
}

/** The draft, and the revision at which editing began: the status is refetched meanwhile. */
function useEdited(status: RetentionStatus) {
  const [begun, setBegun] = useState<{ draft: Draft; revision: string }>();
  const { revision } = begun ?? status;
  const setEdited = (draft: Draft | undefined): void => setBegun(draft && { draft, revision });
  return { edited: begun?.draft, revision, setEdited };
}

const AddRule = ({ onAdd }: { onAdd: () => void }) => (
  <SmallButton icon="plus" onClick={onAdd}>
    {t('config.retention.add-rule', 'Add rule')}
  </SmallButton>
);

function Suggestion({ busy, onApply }: { busy: boolean; onApply: (policy: RetentionPolicy) => void }) {
  return (
    <Box marginBottom={2}>
      <Stack wrap alignItems="center">
        {t('config.retention.off', 'Nothing is removed yet. Suggested rule:')}
        <Button variant="secondary" disabled={busy} onClick={() => onApply(SUGGESTED_POLICY)}>
          {t('config.retention.suggestion', 'Resolved and read: 90 days')}
        </Button>
      </Stack>
    </Box>
  );
}

interface ButtonsProps {
  busy: boolean;
  isEdited: boolean;
  /** Undefined: the form has mistakes. */
  policy: RetentionPolicy | undefined;
  saving: boolean;
  previewing: boolean;
  onPreview: (policy: RetentionPolicy) => void;
  onDiscard: () => void;
}

function Buttons({ busy, isEdited, policy, saving, previewing, onPreview, onDiscard }: ButtonsProps) {
  return (
    <Box marginTop={3} marginBottom={1}>
      <Stack wrap alignItems="center">
        <PendingButton type="submit" pending={busy} disabled={!isEdited || policy === undefined}>
          {saving ? t('config.retention.saving', 'Saving…') : t('config.retention.save', 'Save')}
        </PendingButton>
        <PendingButton
          variant="secondary"
          pending={busy}
          disabled={policy === undefined}
          onClick={() => policy && onPreview(policy)}
        >
          {previewing ? t('config.retention.previewing', 'Counting…') : t('config.retention.preview', 'Preview')}
        </PendingButton>
        {isEdited && (
          <Button variant="secondary" fill="text" disabled={busy} onClick={onDiscard}>
            {t('config.retention.discard', 'Discard changes')}
          </Button>
        )}
      </Stack>
    </Box>
  );
}

interface ConfirmRemovalProps {
  /** Notifications to be removed; undefined: nothing to confirm. */
  found: RetentionPreview | undefined;
  onConfirm: () => void;
  onDismiss: () => void;
}

function ConfirmRemoval({ found, onConfirm, onDismiss }: ConfirmRemovalProps) {
  return (
    <ConfirmModal
      isOpen={found !== undefined}
      title={t('config.retention.confirm-title', 'Remove notifications')}
      body={found && previewText(found)}
      description={t(
        'config.retention.confirm-text',
        'They are removed in the background, which cannot be undone. Notifications that match later are removed as well.'
      )}
      confirmText={t('config.retention.confirm', 'Save and remove')}
      onConfirm={onConfirm}
      onDismiss={onDismiss}
    />
  );
}

interface OutcomeProps {
  found: RetentionPreview | undefined;
  error: Error | null;
  /** Discards the changes, after a conflict. */
  onReload: (() => void) | undefined;
}

function Outcome({ found, error, onReload }: OutcomeProps) {
  return (
    <>
      {found && !onReload && <p role="status">{previewText(found)}</p>}
      {error && (
        <AlertWithAction
          severity="error"
          role="alert"
          title={t('config.retention.failed', 'Could not save or preview retention')}
          action={
            onReload && (
              <SmallButton icon="sync" onClick={onReload}>
                {t('config.retention.reload', 'Load current settings')}
              </SmallButton>
            )
          }
        >
          {onReload
            ? t(
                'config.retention.conflict',
                'Retention has been changed since you opened it, so your changes are not saved. Loading the current settings discards them.'
              )
            : error.message}
        </AlertWithAction>
      )}
    </>
  );
}

/** "Would remove 12,345 of 200,000 notifications now, about 10 MB." */
function previewText({ removed, notifications, bytes, complete, heldByOpenThreads }: RetentionPreview): string {
  const values = {
    removed: formatNumber(removed),
    all: notificationCount(notifications),
    size: sizeText(bytes),
  };
  const would =
    removed === 0
      ? t('config.retention.would-remove-none', 'Would remove none of {{all}} now.', values)
      : complete
        ? t('config.retention.would-remove', 'Would remove {{removed}} of {{all}} now, about {{size}}.', values)
        : t(
            'config.retention.would-remove-more',
            'Would remove {{removed}} of {{all}} now or more, at least about {{size}}.',
            values
          );
  const held =
    heldByOpenThreads === 0
      ? ''
      : t('config.retention.held', '{{held}} in open threads are kept.', { held: formatNumber(heldByOpenThreads) });
  return [would, held].filter((text) => text !== '').join(' ');
}
