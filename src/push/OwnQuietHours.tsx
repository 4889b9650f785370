import { css } from '@emotion/css';
import { Box, Stack, Text } from '@grafana/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { DEFAULT_PASSING, type PersonHours, personHoursSchema } from '@nodebell/contract/hours.ts';
import { type KeyboardEvent, useState } from 'react';
import Skeleton from 'react-loading-skeleton';
import { quietHoursQuery, setQuietHours } from '../api/push';
import { hoursDraftOf, hoursInWords, hoursOfDraft, newHours, type QuietDraft } from '../channels/hours';
import { HoursFields } from '../channels/HoursFields';
import { ownZone } from '../channels/ownZone';
import { atLeastLabel } from '../channels/routeInWords';
import { useFocusOnMount } from '../components/useFocusOnMount';
import { t } from '../i18n/t';
import { SecondaryText } from '../components/SecondaryText';
import { SmallButton } from '../components/SmallButton';
import { Failure } from '../components/Failure';
import { PendingButton } from '../components/PendingButton';

/** Hours in which the user's own devices are quiet. */
export function OwnQuietHours() {
  const [edited, setEdited] = useState<QuietDraft>();
  const [wasEdited, setWasEdited] = useState(false);
  const { data, error, refetch } = useQuery(quietHoursQuery());
  if (error && !edited) {
    return (
      <Failure
        title={t('push.quiet.failed', 'Could not load your quiet hours')}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <Box
      aria-label={t('push.quiet.title', 'Your quiet hours')}
      element="section"
      display="flex"
      direction="column"
      gap={1}
    >
      <Text weight="medium">{t('push.quiet.title', 'Your quiet hours')}</Text>
      {!data && <Skeleton height={32} />}
      {data &&
        (edited ? (
          <Editor
            quiet={edited}
            onChange={setEdited}
            onDone={() => {
              setEdited(undefined);
              setWasEdited(true);
            }}
          />
        ) : (
          <Shown hours={data} hasFocus={wasEdited} onEdit={setEdited} />
        ))}
    </Box>
  );
}

interface ShownProps {
  hours: PersonHours;
  hasFocus: boolean;
  onEdit: (quiet: QuietDraft) => void;
}

function Shown({ hours: { quietHours, passing = DEFAULT_PASSING }, hasFocus, onEdit }: ShownProps) {
  const button = useFocusOnMount<HTMLButtonElement>(hasFocus);
  const isNone = quietHours.length === 0;
  return (
    <>
      <div>
        {isNone && (
          <SecondaryText element="p">
            {t('push.quiet.none', 'None: your devices are notified day and night.')}
          </SecondaryText>
        )}
        {quietHours.map((hours, index) => (
          <SecondaryText key={index} element="p">
            {hoursInWords(hours)}
          </SecondaryText>
        ))}
        {!isNone && (
          <SecondaryText element="p">
            {passing === 'none'
              ? t('push.quiet.nothing', 'All notifications wait until they end.')
              : t('push.quiet.passing', 'Sent anyway: {{what}}. Others are held until they end.', {
                  what: atLeastLabel(passing),
                })}
          </SecondaryText>
        )}
      </div>
      <div>
        {' '}
        <SmallButton
          ref={button}
          onClick={() => onEdit({ hours: isNone ? [newHours(ownZone())] : quietHours.map(hoursDraftOf), passing })}
        >
          {isNone ? t('push.quiet.set', 'Set quiet hours') : t('push.quiet.edit', 'Edit quiet hours')}
        </SmallButton>
      </div>
    </>
  );
}

interface EditorProps {
  quiet: QuietDraft;
  onChange: (quiet: QuietDraft) => void;
  onDone: () => void;
}

function Editor({ quiet, onChange, onDone }: EditorProps) {
  const client = useQueryClient();
  const ref = useFocusOnMount<HTMLFormElement>();
  /** Mistakes are shown once saving was tried. */
  const [isTried, setTried] = useState(false);
  const body: PersonHours = { quietHours: quiet.hours.map(hoursOfDraft), passing: quiet.passing };
  const issues = personHoursSchema.safeParse(body).error?.issues ?? [];
  const save = useMutation({
    mutationFn: setQuietHours,
    meta: { quiet: true },
    onSuccess: async () => {
      await client.invalidateQueries(quietHoursQuery());
      onDone();
    },
  });
  return (
    <form
      ref={ref}
      tabIndex={-1}
      noValidate
      className={form}
      onKeyDown={onEscape(onDone)}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (issues.length === 0) {
          save.mutate(body);
        }
      }}
    >
      <HoursFields
        id="nodebell-own-hours"
        quiet={quiet}
        invalid={isTried ? issues.map(({ path }) => path.slice(0, 3).join('.')) : []}
        onChange={(next) => {
          // Saving closes the form: a change meanwhile would be lost.
          if (!save.isPending) {
            save.reset();
            onChange(next);
          }
        }}
      />
      <Failure title={t('push.quiet.not-saved', 'Could not save your quiet hours')} error={save.error} ofChange />
      <Stack wrap>
        <PendingButton type="submit" size="sm" pending={save.isPending}>
          {save.isPending ? t('push.quiet.saving', 'Saving…') : t('push.quiet.save', 'Save quiet hours')}
        </PendingButton>
        <SmallButton onClick={onDone}>{t('push.quiet.cancel', 'Cancel')}</SmallButton>
      </Stack>
    </form>
  );
}

/** Only what is open: a menu, or else the form. Otherwise the dialog around it closes. */
const onEscape =
  (close: () => void) =>
  (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      if ((event.target as Element).getAttribute('aria-expanded') !== 'true') {
        close();
      }
    }
  };

const form = css({ '&:focus': { outline: 'none' }, display: 'flex', flexDirection: 'column', gap: 8 });
