import { css } from '@emotion/css';
import { Stack, Text } from '@grafana/ui';
import { useMutation } from '@tanstack/react-query';
import { may } from '../api/permissions';
import { removeOverride, schedulesKey } from '../api/schedules';
import { DeleteButton } from '../components/DeleteButton';
import { List } from '../components/List';
import { momentIn } from '../components/moments';
import { SecondaryText } from '../components/SecondaryText';
import { t } from '../i18n/t';
import type { Schedule } from './timeline';

/** Overrides that have not ended. */
export function ScheduleOverrides({
  schedule: { name, overrides, shifts },
  zone,
}: {
  schedule: Schedule;
  zone: string;
}) {
  const remove = useMutation({
    mutationFn: (id: string) => removeOverride(name, id),
    meta: { failure: t('on-call.card.not-removed', 'Could not remove the override'), rereads: [schedulesKey] },
  });
  const now = Date.parse(shifts[0]?.from ?? '');
  const current = overrides.filter(({ ends }) => !(Date.parse(ends) <= now));
  if (current.length === 0) {
    return null;
  }
  return (
    <section aria-label={t('on-call.card.overrides', 'Overrides')}>
      <Text element="h3" variant="bodySmall" weight="medium">
        {t('on-call.card.overrides', 'Overrides')}
      </Text>
      <List divided>
        {current.map(({ id, person, begins, ends, by }, index) => {
          const label = `${person}, ${momentIn(begins, zone)} – ${momentIn(ends, zone)}`;
          return (
            <li key={id ?? index} aria-label={label}>
              <Stack alignItems="center" justifyContent="space-between">
                <div className={text}>
                  <Text element="p">{label}</Text>
                  <SecondaryText element="p">
                    {id === undefined
                      ? t('on-call.card.of-file', 'In the provisioning file')
                      : by
                        ? t('on-call.card.by', 'Added by {{name}}', { name: by })
                        : t('on-call.card.added', 'Added on this page or by the API')}
                  </SecondaryText>
                </div>
                {id !== undefined && may('inbox:write') && (
                  <DeleteButton
                    name={label}
                    title={t('on-call.card.remove', 'Delete this override?')}
                    body={label}
                    onDelete={({ onSettled }) => remove.mutate(id, { onSettled })}
                  />
                )}
              </Stack>
            </li>
          );
        })}
      </List>
    </section>
  );
}

const text = css({ flex: '1 1 200px', minWidth: 0, overflowWrap: 'anywhere' });
