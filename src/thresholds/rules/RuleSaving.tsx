import { css } from '@emotion/css';
import { Alert, ClipboardButton, Stack } from '@grafana/ui';
import { useState } from 'react';
import { mayEditRules } from '../../api/permissions';
import { dateAndTime } from '../../components/moments';
import { t } from '../../i18n/t';
import { Problem, Sign } from '../endpoint/Sign';
import { fileLine } from './fileLine';
import { problemMessage, readOnlyMessage, ruleError, valuesSentence } from './messages';
import { RuleConflict } from './requests';
import { problemOf, sameValues, type Rule, type RuleThreshold, type RuleValues } from './rule';
import { useSaveRule } from './useRules';
import { SecondaryText } from '../../components/SecondaryText';
import { SmallButton } from '../../components/SmallButton';
import { useLatest } from '../../components/useLatest';
import { PendingButton } from '../../components/PendingButton';

interface Props {
  rule: Rule;
  threshold: RuleThreshold;
  saved: RuleValues;
  /** Unsaved values. */
  draft: RuleValues | undefined;
  onDraft: (values: RuleValues | undefined) => void;
}

/** Saves or discards the preview, undoes the last save, and shows what another user has changed. */
export function RuleSaving(props: Props) {
  return mayEditRules() ? <Saving {...props} /> : props.draft ? <NotAllowed onDraft={props.onDraft} /> : null;
}

function NotAllowed({ onDraft }: Pick<Props, 'onDraft'>) {
  return (
    <Stack wrap alignItems="center">
      <Sign
        icon="lock"
        tone="secondary"
        text={t('thresholds.rules.viewer', 'You do not have permission to change rules.')}
      />
      <SmallButton onClick={() => onDraft(undefined)}>{t('thresholds.rules.discard', 'Discard')}</SmallButton>
    </Stack>
  );
}

function Saving({ rule, threshold, saved, draft, onDraft }: Props) {
  const { mutateAsync, isPending, error, reset } = useSaveRule();
  const [done, setDone] = useState<Done>();
  const latest = useLatest(draft);
  const save = async (values: RuleValues) => {
    setDone(undefined);
    const { overtook } = await mutateAsync({ shown: rule, values });
    // Also if the row was closed or scrolled out of view by then.
    setDone({ before: saved, after: values, overtook });
    if (!latest.current || sameValues(latest.current, values)) {
      onDraft(undefined);
    }
  };
  const start = (values: RuleValues) => void save(values).catch(() => undefined); // the error is shown
  const discard = () => {
    reset();
    onDraft(undefined);
  };
  if (draft) {
    return (
      <Unsaved
        rule={rule}
        threshold={threshold}
        draft={draft}
        error={error}
        busy={isPending}
        onSave={() => start(draft)}
        onDiscard={discard}
      />
    );
  }
  return (
    <>
      {error && <NotSaved error={error} />}
      {done && sameValues(done.after, saved) && (
        <Saved done={done} busy={isPending} onUndo={() => start(done.before)} />
      )}
    </>
  );
}

interface UnsavedProps extends Pick<Props, 'rule' | 'threshold'> {
  draft: RuleValues;
  error: Error | null;
  busy: boolean;
  onSave: () => void;
  onDiscard: () => void;
}

function Unsaved({ rule, threshold, draft, error, busy, onSave, onDiscard }: UnsavedProps) {
  const problem = problemOf(threshold, draft);
  const conflict = error instanceof RuleConflict;
  return (
    <>
      {conflict && <Conflict now={rule} threshold={threshold} draft={draft} />}
      {error && !conflict && <NotSaved error={error} />}
      {problem && <Problem>{problemMessage(problem)}</Problem>}
      <Stack wrap alignItems="center">
        <PendingButton size="sm" pending={busy} disabled={problem !== undefined} onClick={onSave}>
          {conflict ? t('thresholds.rules.save-anyway', 'Replace with my values') : t('thresholds.rules.save', 'Save')}
        </PendingButton>
        <SmallButton pending={busy} onClick={onDiscard}>
          {conflict
            ? t('thresholds.rules.keep-theirs', 'Keep the saved values')
            : t('thresholds.rules.discard', 'Discard')}
        </SmallButton>
      </Stack>
    </>
  );
}

const NotSaved = ({ error }: { error: Error }) => (
  <Problem>{t('thresholds.rules.not-saved', 'Not saved: {{reason}}', { reason: ruleError(error) })}</Problem>
);

interface Done {
  before: RuleValues;
  /** Values at the time of saving: if they have changed since, nothing is undone, because somebody else has changed them. */
  after: RuleValues;
  overtook: boolean;
}

function Saved({ done, busy, onUndo }: { done: Done; busy: boolean; onUndo: () => void }) {
  return (
    <Stack wrap alignItems="center" role="status">
      <Sign icon="check" tone="success" text={t('thresholds.rules.saved', 'Saved in Grafana.')}>
        <SmallButton fill="text" pending={busy} onClick={onUndo}>
          {t('thresholds.rules.undo', 'Undo')}
        </SmallButton>
      </Sign>
      {done.overtook && (
        <Sign
          icon="exclamation-triangle"
          tone="warning"
          text={t(
            'thresholds.rules.overtook',
            'Another user saved this rule at the same moment. Check the history: it has both versions.'
          )}
        />
      )}
    </Stack>
  );
}

/** The rule was changed by somebody else; nothing was saved. */
function Conflict({ now, threshold, draft }: { now: Rule; threshold: RuleThreshold; draft: RuleValues }) {
  return (
    <Alert
      severity="warning"
      bottomSpacing={0}
      title={t('thresholds.rules.conflict', 'Changed in the meantime. Nothing was saved.')}
    >
      <div>
        {t('thresholds.rules.conflict-theirs', 'Saved by {{who}}, {{when}}: {{values}}', {
          who: now.updatedBy || t('thresholds.rules.unknown-user', 'an unknown user'),
          when: dateAndTime(now.updated),
          values: valuesSentence(threshold, threshold),
        })}
      </div>
      <div>
        {t('thresholds.rules.conflict-mine', 'Yours: {{values}}', { values: valuesSentence(threshold, draft) })}
      </div>
    </Alert>
  );
}

interface FileLineProps extends Pick<Props, 'rule' | 'threshold'> {
  values: RuleValues;
  /** Undefined: the values are those of the rule. */
  onDiscard: (() => void) | undefined;
}

/** A provisioned rule: why it is read-only, and the line for its file. */
export function FileLine({ rule, threshold, values, onDiscard }: FileLineProps) {
  const line = fileLine(threshold, values);
  return (
    <Stack direction="column" gap={0.5}>
      {rule.readOnly && <Sign icon="lock" tone="secondary" text={readOnlyMessage(rule.readOnly)} />}
      <SecondaryText>
        {t('thresholds.rules.uid', 'uid {{uid}}, group {{group}}, conditions of {{refId}}', {
          uid: rule.uid,
          group: rule.group,
          refId: threshold.refId,
        })}
      </SecondaryText>
      <Stack wrap alignItems="center">
        <code className={wrapping}>{line}</code>
        <ClipboardButton size="sm" variant="secondary" icon="copy" getText={() => line}>
          {t('thresholds.rules.copy', 'Copy line')}
        </ClipboardButton>
        {onDiscard && (
          <SmallButton fill="text" onClick={onDiscard}>
            {t('thresholds.rules.discard', 'Discard')}
          </SmallButton>
        )}
      </Stack>
    </Stack>
  );
}

const wrapping = css({ whiteSpace: 'pre-wrap' });
