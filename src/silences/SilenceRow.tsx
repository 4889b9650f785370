import { css } from '@emotion/css';
import { Badge, LinkButton, Stack, Text } from '@grafana/ui';
import { config } from '@grafana/runtime';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Maintenance, maintenanceBodyOf } from '@nodebell/contract/suppression.ts';
import { HOUR_MS } from '@nodebell/contract/time.ts';
import { maintenanceQuery, removeMaintenance, saveMaintenance } from '../api/maintenance';
import { may } from '../api/permissions';
import { changeSilenceEnd, maySilence } from '../api/silences';
import { hoursInWords } from '../channels/hours';
import { DeleteButton } from '../components/DeleteButton';
import { absoluteTime, momentLabel } from '../components/moments';
import { SecondaryText } from '../components/SecondaryText';
import { StateText } from '../components/StateText';
import { t } from '../i18n/t';
import { silencesKey } from '../inbox/silences/useSilences';
import type { SilenceRow as Row } from './rows';
import { alertsSilenced, threadsNotSent } from './texts';
import { SmallButton } from '../components/SmallButton';

interface Props {
  row: Row;
  now: number;
  onEdit: (id: string) => void;
}

/** A silence or maintenance window: what it matches, why, until when, and what can be done with it. */
export function SilenceRow({ row, now, onEdit }: Props) {
  const { title, matchers, by, count, window, silence } = row;
  const isOwn = window !== undefined && window.file === undefined && may('inbox:write');
  return (
    <li aria-label={title}>
      <Stack wrap alignItems="flex-start" columnGap={1.5} rowGap={1}>
        <div className={text}>
          <Stack wrap alignItems="center" rowGap={0.5} columnGap={1}>
            <Text weight="medium">{title}</Text>
            <When row={row} now={now} />
            {window?.file !== undefined && (
              <Badge
                color="blue"
                icon="file-alt"
                text={t('channels.row.provisioned', 'Provisioned by {{file}}', { file: window.file })}
              />
            )}
          </Stack>
          <Text element="p" variant="code">
            {matchers}
          </Text>
          <SecondaryText element="p">
            {[
              silence === undefined
                ? t('silences.row.window', 'Maintenance window')
                : t('silences.row.silence', 'Silence in {{name}}', { name: silence.name }),
              ...(by === '' ? [] : [t('silences.row.by', 'by {{name}}', { name: by })]),
              ...(window?.weekly ?? []).map(hoursInWords),
              ...(row.state !== 'active' && count === 0
                ? []
                : [silence === undefined ? threadsNotSent(count) : alertsSilenced(count)]),
            ].join(' · ')}
          </SecondaryText>
        </div>
        {silence && <SilenceActions {...silence} title={title} />}
        {isOwn && <WindowActions window={window} onEdit={() => onEdit(window.id)} />}
      </Stack>
    </li>
  );
}

function When({ row: { state, from, until }, now }: Pick<Props, 'row' | 'now'>) {
  const time = from ?? until;
  const label = time === null ? '' : momentLabel(time, now);
  const texts = {
    active:
      until === null ? t('silences.row.active', 'Active') : t('silences.row.ends', 'Until {{time}}', { time: label }),
    pending: t('silences.row.starts', 'Starts {{time}}', { time: label }),
    expired: t('silences.row.ended', 'Ended {{time}}', { time: label }),
  };
  return (
    <span title={time === null ? undefined : absoluteTime(time)}>
      <StateText
        icon={state === 'active' ? 'bell-slash' : 'clock-nine'}
        tone={state === 'active' ? 'warning' : 'secondary'}
        text={texts[state]}
      />
    </span>
  );
}

/** Extends, ends or renews a silence. */
function SilenceActions({ silence, through, url, title }: NonNullable<Row['silence']> & { title: string }) {
  const { alertmanager, state, until } = silence;
  const { mutate, isPending } = useMutation({
    mutationFn: (end: number | null) =>
      changeSilenceEnd(through, silence, end === null ? null : new Date(end).toISOString()),
    meta: { failure: t('silences.row.silence-not-changed', 'Could not change the silence'), rereads: [silencesKey] },
  });
  return (
    <Stack wrap>
      {maySilence(through, alertmanager) && (
        <EndButtons
          {...{ title, isPending, state }}
          onExtend={() => mutate((state === 'expired' ? Date.now() : Date.parse(until)) + HOUR_MS)}
          onEnd={() => mutate(null)}
        />
      )}
      {url !== undefined && state !== 'expired' && (
        <LinkButton size="sm" variant="secondary" href={`${config.appSubUrl}${url}`}>
          {t('silences.row.grafana', 'Open in Grafana')}
        </LinkButton>
      )}
    </Stack>
  );
}

interface EndProps {
  title: string;
  state: Row['state'];
  isPending: boolean;
  onExtend: () => void;
  onEnd: () => void;
}

function EndButtons({ title, state, isPending, onExtend, onEnd }: EndProps) {
  const isExpired = state === 'expired';
  return (
    <>
      <SmallButton
        pending={isPending}
        aria-label={
          isExpired
            ? t('silences.row.renew-what', 'Renew {{title}} for 1 h', { title })
            : t('silences.row.extend-what', 'Extend {{title}} by 1 h', { title })
        }
        onClick={onExtend}
      >
        {isExpired ? t('silences.row.renew', 'Renew for 1 h') : t('silences.row.extend', 'Extend by 1 h')}
      </SmallButton>
      {!isExpired && (
        <SmallButton
          pending={isPending}
          aria-label={t('silences.row.end-what', 'End {{title}} now', { title })}
          onClick={onEnd}
        >
          {t('silences.row.end', 'End now')}
        </SmallButton>
      )}
    </>
  );
}

interface WindowProps {
  window: Maintenance;
  onEdit: () => void;
}

function WindowActions({ window, onEdit }: WindowProps) {
  const { name, state, endsAt, weekly } = window;
  return (
    <Stack wrap>
      {state === 'active' && weekly === undefined && endsAt !== undefined && <End {...{ window, endsAt }} />}
      <SmallButton aria-label={t('channels.row.edit-what', 'Edit {{name}}', { name })} onClick={onEdit}>
        {t('channels.row.edit', 'Edit')}
      </SmallButton>
      <Delete window={window} />
    </Stack>
  );
}

const rereads = [maintenanceQuery.queryKey];

/** Changes the end of a window. */
function End({ window, endsAt }: Pick<WindowProps, 'window'> & { endsAt: string }) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async (endOf: (end: number) => number) => {
      // Somebody else may have changed or ended it since.
      const { windows } = await client.query(maintenanceQuery);
      const current = windows.find(({ id, state }) => id === window.id && state === 'active');
      if (current) {
        const end = endOf(Date.parse(current.endsAt ?? endsAt));
        await saveMaintenance(window.id, { ...maintenanceBodyOf(current), endsAt: new Date(end).toISOString() });
      }
    },
    meta: { failure: t('silences.row.not-changed', 'Could not change the maintenance window'), rereads },
  });
  return (
    <EndButtons
      {...{ title: window.name, isPending, state: window.state }}
      onExtend={() => mutate((end) => end + HOUR_MS)}
      onEnd={() => mutate(() => Date.now())}
    />
  );
}

function Delete({ window: { id, name } }: Pick<WindowProps, 'window'>) {
  const remove = useMutation({
    mutationFn: () => removeMaintenance(id),
    meta: { failure: t('silences.row.not-deleted', 'Could not delete the maintenance window'), rereads },
  });
  return (
    <DeleteButton
      name={name}
      title={t('silences.row.delete-title', 'Delete the maintenance window “{{name}}”?', { name })}
      body={t('silences.row.delete-text', 'Alerts that still fire are sent.')}
      onDelete={(options) => remove.mutate(undefined, options)}
    />
  );
}

const text = css({ flex: '1 1 220px', minWidth: 0, overflowWrap: 'anywhere' });
