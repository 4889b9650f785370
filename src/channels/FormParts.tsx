import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, Alert, Field, Icon, Stack, Switch, Text, useStyles2 } from '@grafana/ui';
import type { Route } from '@nodebell/contract/channel.ts';
import { DESCRIPTORS, formFields } from '@nodebell/contract/channelTypes/index.ts';
import { type ReactNode, useState } from 'react';
import type { BridgeError } from '../api/errors';
import { explainChange } from '../api/queryClient';
import { TextField } from '../components/TextField';
import { t } from '../i18n/t';
import { ChannelField } from './ChannelField';
import type { Draft } from './draft';
import { hoursOfDraft } from './hours';
import { HoursFields } from './HoursFields';
import { RouteFields } from './RouteFields';
import { routeInWords } from './routeInWords';
import { PendingButton } from '../components/PendingButton';

interface SettingsProps {
  draft: Draft;
  isNew: boolean;
  mistakes: Record<string, string>;
  onChange: (draft: Draft) => void;
}

export function Settings({ draft, isNew, mistakes, onChange }: SettingsProps) {
  const all = formFields(draft.type).map(([key, field]) => ({
    isMore: field.advanced === true,
    mistake: mistakes[key],
    shown: (
      <ChannelField key={key} draft={draft} name={key} field={field} mistake={mistakes[key]} onChange={onChange} />
    ),
  }));
  const further = all.filter(({ isMore }) => isMore);
  const [isOpened, setOpened] = useState(false);
  const isMore = isOpened || further.some(({ mistake }) => mistake !== undefined);
  return (
    <Stack direction="column" gap={2}>
      {isNew && (
        <TextField
          id="nodebell-channel-name"
          label={t('channels.field.name', 'Name')}
          description={t('channels.help.name', 'In routes and on pages, such as phone or on-call.')}
          required
          autoComplete="off"
          value={draft.name}
          error={mistakes['name']}
          onChange={(name) => onChange({ ...draft, name })}
        />
      )}
      {all.map((field) => (field.isMore ? null : field.shown))}
      {!DESCRIPTORS[draft.type].isBridge && (
        <section aria-label={t('channels.hours.title', 'Quiet hours')}>
          <Stack direction="column">
            <Text element="h3" variant="bodySmall" weight="medium">
              {t('channels.hours.title', 'Quiet hours')}
            </Text>
            <HoursFields
              id="nodebell-channel-hours"
              quiet={draft.quiet}
              invalid={Object.keys(mistakes)}
              onChange={(quiet) => onChange({ ...draft, quiet })}
            />
          </Stack>
        </section>
      )}
      {isMore ? (
        further.map(({ shown }) => shown)
      ) : (
        <div>
          <Button variant="secondary" fill="text" icon="angle-down" onClick={() => setOpened(true)}>
            {t('channels.form.more', 'More settings')}
          </Button>
        </div>
      )}
    </Stack>
  );
}

interface TestProps {
  test: {
    data: { delivered: boolean; reason?: string | undefined } | undefined;
    error: BridgeError | null;
    isPending: boolean;
  };
  onTest: () => void;
}

export function TestButton({ test: { data, error, isPending }, onTest }: TestProps) {
  return (
    <>
      <PendingButton variant="secondary" pending={isPending} onClick={onTest}>
        {isPending ? t('channels.test.sending', 'Sending…') : t('channels.test.send', 'Send a test')}
      </PendingButton>
      <TestResult data={data} error={error} />
    </>
  );
}

function TestResult({ data, error }: Pick<TestProps['test'], 'data' | 'error'>) {
  if (data?.delivered) {
    return (
      <div role="status">
        <Text color="success">
          <Icon name="check-circle" /> {t('channels.test.arrived', 'Delivered. Check that the test has arrived.')}
        </Text>
      </div>
    );
  }
  const reason = error ? explainChange(error) : data?.reason;
  return reason === undefined ? null : (
    <Alert severity="error" title={t('channels.test.failed', 'The test was not delivered')}>
      {reason}
    </Alert>
  );
}

/** The route of a new channel; without one, nothing is sent over it. */
export function FirstRoute({
  route,
  draft: { type, quiet },
  invalid,
  onChange,
}: {
  route: Route | undefined;
  draft: Draft;
  /** Members that are invalid. */
  invalid: readonly string[];
  onChange: (route: Route | undefined) => void;
}) {
  return (
    <Stack direction="column" gap={2}>
      <Field label={t('channels.form.with-route', 'Send notifications over this channel')} noMargin>
        <Switch
          id="nodebell-channel-with-route"
          value={route !== undefined}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? { channels: [] } : undefined)}
        />
      </Field>
      {route && (
        <>
          <RouteFields id="nodebell-channel-route" route={route} types={[type]} invalid={invalid} onChange={onChange} />
          <Text element="p" color="secondary">
            {routeInWords(route, { quietHours: quiet.hours.map(hoursOfDraft), passing: quiet.passing })}
          </Text>
        </>
      )}
    </Stack>
  );
}

export function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  const styles = useStyles2(getStyles);
  return (
    <section aria-label={title} className={styles.step}>
      <h2 className={styles.title}>
        <span className={styles.number} aria-hidden>
          {number}
        </span>
        {title}
      </h2>
      {children}
    </section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  step: css({
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'stretch',
    gap: theme.spacing(2),
    '& > button': { alignSelf: 'flex-start' },
  }),
  title: css({ ...theme.typography.h4, display: 'flex', alignItems: 'center', gap: theme.spacing(1), margin: 0 }),
  number: css({
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    width: 24,
    height: 24,
    borderRadius: theme.shape.radius.circle,
    background: theme.colors.background.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
  }),
});
