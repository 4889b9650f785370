import { css } from '@emotion/css';
import { getTimeZone } from '@grafana/data';
import {
  Alert,
  Box,
  Combobox,
  Field,
  LoadingPlaceholder,
  Modal,
  RadioButtonGroup,
  Text,
  TextArea,
  TextLink,
  useStyles2,
} from '@grafana/ui';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { LIMITS } from '@nodebell/contract/limits.ts';
import type { NotificationDetail } from '@nodebell/contract/notification.ts';
import type { Matcher } from '@nodebell/contract/matchers.ts';
import { type Alertmanager, matchersOf, matchersOfRule } from '@nodebell/contract/silence.ts';
import { HOUR_MS } from '@nodebell/contract/time.ts';
import { explain } from '../../api/queryClient';
import { coveredBy, type ReadSilences } from '../../api/silences';
import { momentLabel, momentOfInput } from '../../components/moments';
import { useNow, useThrottled } from '../../components/timers';
import { t } from '../../i18n/t';
import { MomentField } from '../MomentField';
import { DURATIONS, durationLabel } from './durations';
import { Matchers } from './Matchers';
import { obstacleOf, targetsOf } from './reasons';
import { silencesQuery, useSilencing } from './useSilences';
import { ModalButtons } from '../../components/ModalButtons';

interface Props {
  detail: NotificationDetail;
  onClose: () => void;
}

interface DialogProps extends Props {
  /** Starts with all alerts of the rule. */
  ofRule: boolean;
}

/** Creates a silence for the alert of a thread, where it comes from. */
export default function SilenceDialog({ detail, ofRule, onClose }: DialogProps) {
  const styles = useStyles2(getStyles);
  const { data, error } = useQuery(silencesQuery());
  // The row is shown before the detail has arrived.
  const isLoading = detail.members.length === 0 && detail.alert === undefined;
  return (
    <Modal
      isOpen
      title={t('inbox.silence.title', 'Silence at the source')}
      className={styles.modal}
      onDismiss={onClose}
    >
      {error && <Alert severity="error" title={explain(error)} />}
      {data && !isLoading ? (
        <Targets read={data} {...{ detail, ofRule, onClose }} />
      ) : (
        !error && <LoadingPlaceholder text={t('inbox.silence.loading', 'Loading…')} />
      )}
    </Modal>
  );
}

/** Chooses the Alertmanager: the one where such an alert fires. */
function Targets({ read, detail, ofRule, onClose }: DialogProps & { read: ReadSilences }) {
  const targets = targetsOf(detail, read);
  const [chosen, setChosen] = useState<string>();
  const [first] = useState(() => {
    const all = detail.alert ? matchersOf(detail.alert) : [];
    return ofRule ? matchersOfRule(all) : all;
  });
  const counts = useQueries({
    queries: targets.map(({ id }) => ({
      ...coveredQuery(read, detail, id, first),
      enabled: targets.length > 1,
    })),
  });
  const best = targets.find((_, index) => (counts[index]?.data ?? 0) > 0) ?? targets[0];
  const target = targets.find(({ id }) => id === chosen) ?? best;
  const obstacle = obstacleOf(detail, read, target);
  return (
    <>
      {targets.length > 1 && (
        <Field label={t('inbox.silence.where', 'Alertmanager')}>
          <Combobox
            id="silence-alertmanager"
            options={targets.map(({ id, name }) => ({ value: id, label: name }))}
            value={target?.id ?? null}
            onChange={({ value }) => setChosen(value)}
          />
        </Field>
      )}
      {obstacle || !target ? (
        <Alert severity="info" title={t('inbox.silence.impossible', 'This alert cannot be silenced from here')}>
          <p>{obstacle?.reason}</p>
          {obstacle?.url !== undefined && (
            <TextLink href={obstacle.url} external>
              {t('inbox.silence.elsewhere', 'Silence it there')}
            </TextLink>
          )}
        </Alert>
      ) : (
        <SilenceForm {...{ detail, read, target, first, onClose }} />
      )}
    </>
  );
}

const coveredQuery = (
  { through }: ReadSilences,
  { id }: NotificationDetail,
  alertmanager: string,
  matchers: readonly Matcher[]
) => ({
  queryKey: ['inbox', 'covered', alertmanager, matchers],
  queryFn: () => coveredBy(through, id, alertmanager, matchers),
  gcTime: 0,
});

const COUNT_EVERY_MS = 500;
/** Instead of a duration: until a moment. */
const CHOOSE = 0;

interface FormProps extends Props {
  read: ReadSilences;
  target: Alertmanager;
  first: Matcher[];
}

function SilenceForm({ detail, read, target, first, onClose }: FormProps) {
  const now = useNow();
  const [matchers, setMatchers] = useState<readonly Matcher[]>(first);
  const [ends, setEnds] = useState<Ends>({ hours: DURATIONS[0], local: '' });
  const [comment, setComment] = useState('');
  const commentRef = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // Unlike `autoFocus`, it does not scroll what stands above it out of the dialog, and the dialog notices the focus and keeps it there.
    commentRef.current?.focus({ preventScroll: true });
  }, []);
  const { save } = useSilencing(detail.id, read.through);
  /** Saving closes the dialog: a change meanwhile would be lost. */
  const unlessSaving =
    <Value,>(change: (value: Value) => void) =>
    (value: Value) =>
      !save.isPending && change(value);
  const used = matchers.filter(({ name }) => name.trim() !== '');
  const until = endOf(ends, now);
  const isComplete = used.length > 0 && until !== undefined && comment.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete && !save.isPending) {
      const wanted = { alertmanager: target.id, matchers: used, until, comment: comment.trim() };
      save.mutate(wanted, { onSuccess: onClose });
    }
  };
  return (
    <Box element="form" onSubmit={submit} display="flex" direction="column" gap={2}>
      <Matchers matchers={matchers} onChange={unlessSaving(setMatchers)} />
      <Covered key={target.id} read={read} detail={detail} target={target} matchers={used} />
      <Duration ends={ends} isValid={until !== undefined} onChange={unlessSaving(setEnds)} />
      <Field label={t('inbox.silence.comment', 'Comment')} required noMargin>
        <TextArea
          id="nodebell-silence-comment"
          rows={2}
          ref={commentRef}
          maxLength={LIMITS.commentBytes.value}
          value={comment}
          onChange={({ currentTarget }) => unlessSaving(setComment)(currentTarget.value)}
        />
      </Field>
      <ModalButtons onCancel={onClose} type="submit" pending={save.isPending} disabled={!isComplete}>
        {until === undefined
          ? t('inbox.silence.silence', 'Silence')
          : t('inbox.silence.submit', 'Silence until {{time}}', { time: momentLabel(until, now) })}
      </ModalButtons>
    </Box>
  );
}

interface Ends {
  /** {@link CHOOSE}: at `local`. */
  hours: number;
  /** Value of an input of type `datetime-local`. */
  local: string;
}

/** @returns ISO 8601, UTC; undefined if it is not complete, or out of range */
function endOf({ hours, local }: Ends, now: number): string | undefined {
  if (hours !== CHOOSE) {
    return new Date(now + hours * HOUR_MS).toISOString();
  }
  const until = momentOfInput(local, getTimeZone());
  const latest = now + LIMITS.silenceDays.value * 24 * HOUR_MS;
  return until !== undefined && Date.parse(until) > now && Date.parse(until) <= latest ? until : undefined;
}

interface DurationProps {
  ends: Ends;
  isValid: boolean;
  onChange: (ends: Ends) => void;
}

function Duration({ ends, isValid, onChange }: DurationProps) {
  return (
    <>
      <Field label={t('inbox.silence.duration', 'Duration')} noMargin>
        <RadioButtonGroup
          size="sm"
          aria-label={t('inbox.silence.duration', 'Duration')}
          options={[
            ...DURATIONS.map((value) => ({ value, label: durationLabel(value) })),
            { value: CHOOSE, label: t('inbox.silence.choose', 'until…') },
          ]}
          value={ends.hours}
          onChange={(hours) => onChange({ ...ends, hours })}
        />
      </Field>
      {ends.hours === CHOOSE && (
        <MomentField
          id="nodebell-silence-until"
          days={LIMITS.silenceDays.value}
          value={ends.local}
          invalid={ends.local !== '' && !isValid}
          onChange={(local) => onChange({ ...ends, local })}
        />
      )}
    </>
  );
}

interface CoveredProps {
  read: ReadSilences;
  detail: NotificationDetail;
  target: Alertmanager;
  matchers: readonly Matcher[];
}

/** Number of alerts that it would cover now, as the Alertmanager counts them. */
function Covered({ read, detail, target, matchers }: CoveredProps) {
  const counted = useThrottled(matchers, COUNT_EVERY_MS);
  const { data, error } = useQuery({
    ...coveredQuery(read, detail, target.id, counted),
    enabled: counted.length > 0,
    placeholderData: keepPreviousData,
  });
  const text =
    counted.length === 0
      ? t('inbox.silence.no-matchers', 'Add at least one label.')
      : error
        ? explain(error)
        : data === undefined
          ? t('inbox.silence.counting', 'Counting…')
          : t('inbox.silence.covers', '', {
              count: data,
              defaultValue_one: 'Covers {{count, number}} firing alert now',
              defaultValue_other: 'Covers {{count, number}} firing alerts now',
            });
  return (
    <Text element="p" role="status" color="secondary">
      {text}
    </Text>
  );
}

const getStyles = () => ({
  modal: css({ width: 640, maxWidth: '100%' }),
});
