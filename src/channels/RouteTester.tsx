import { css } from '@emotion/css';
import { Box, Combobox, Field, Stack, Text } from '@grafana/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ChannelStatus } from '@nodebell/contract/channel.ts';
import type { RouteTestResult } from '@nodebell/contract/routeTest.ts';
import { PRIORITIES, STATUSES } from '@nodebell/contract/notification.ts';
import { useState } from 'react';
import { testRoutes, type Tested } from '../api/channels';
import { listNotifications } from '../api/notifications';
import { explain } from '../api/queryClient';
import { categoryName, priorityLabel, shortName } from '../components/messages';
import { List } from '../components/List';
import { dateAndTime } from '../components/moments';
import { SecondaryText } from '../components/SecondaryText';
import { StateText } from '../components/StateText';
import { t } from '../i18n/t';
import { useNames } from './RouteFields';
import { conjunction, leadsTo, routeInWords, targetInWords } from './routeInWords';
import { comparisonText, statusLabel } from './stateTexts';
import { SmallButton } from '../components/SmallButton';
import { PendingButton } from '../components/PendingButton';

/** Notifications of the inbox that can be picked. */
const RECENT = 20;

/** Shows the routes that match a notification, and why the others do not. */
export function RouteTester({ channels }: { channels: readonly ChannelStatus[] }) {
  const [tested, setTested] = useState<Tested>({ priority: 'high', status: 'triggered' });
  const test = useMutation({ mutationFn: testRoutes, meta: { quiet: true } });
  const set = (change: Partial<Tested>) => {
    test.reset();
    setTested({ ...tested, ...change });
  };
  return (
    <section aria-label={t('channels.tester.title', 'Test the routes')}>
      <Box display="flex" direction="column" gap={2} marginTop={3}>
        <Text element="h3" variant="h4">
          {t('channels.tester.title', 'Test the routes')}
        </Text>
        <div className={fields}>
          <Pick onPick={set} />
          <Fields tested={tested} onChange={set} />
        </div>
        {tested.labels && <Labels labels={tested.labels} onRemove={() => set({ labels: undefined })} />}
        <div>
          <PendingButton variant="secondary" pending={test.isPending} onClick={() => test.mutate(tested)}>
            {t('channels.tester.test', 'Test')}
          </PendingButton>
        </div>
        {test.error && <p role="alert">{explain(test.error)}</p>}
        {test.data && <Result result={test.data} known={channels} />}
      </Box>
    </section>
  );
}

function Pick({ onPick }: { onPick: (tested: Tested) => void }) {
  const recent = useQuery({
    queryKey: ['route-tester'],
    queryFn: ({ signal }) => listNotifications({}, RECENT, signal),
    staleTime: 60_000,
  });
  const pick = (id: number) => {
    const found = recent.data?.find((one) => one.id === id);
    if (found) {
      const { priority, status, category, dnpName, node, labels } = found;
      onPick({ priority, status, category, dnpName, node, labels });
    }
  };
  return (
    <Field label={t('channels.tester.pick', 'From the inbox')} noMargin>
      <Combobox
        id="nodebell-tester-pick"
        placeholder={t('channels.tester.pick-one', 'Pick a notification')}
        options={(recent.data ?? []).map(({ id, title }) => ({ value: id, label: title }))}
        value={null}
        onChange={(option) => pick(option.value)}
      />
    </Field>
  );
}

function Labels({ labels, onRemove }: { labels: Record<string, string>; onRemove: () => void }) {
  const text = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return (
    <Stack wrap alignItems="center">
      <div className={words}>{t('channels.tester.labels', 'Labels: {{labels}}', { labels: text.join(', ') })}</div>
      <SmallButton fill="text" onClick={onRemove}>
        {t('channels.tester.no-labels', 'Without labels')}
      </SmallButton>
    </Stack>
  );
}

function Fields({ tested, onChange }: { tested: Tested; onChange: (change: Partial<Tested>) => void }) {
  const known = useNames();
  return (
    <>
      <Field label={t('channels.tester.priority', 'Priority')} noMargin>
        <Combobox
          id="nodebell-tester-priority"
          options={PRIORITIES.map((value) => ({ value, label: priorityLabel(value) }))}
          value={tested.priority}
          onChange={({ value }) => onChange({ priority: value })}
        />
      </Field>
      <Field label={t('channels.tester.category', 'Category')} noMargin>
        <Combobox
          id="nodebell-tester-category"
          createCustomValue
          options={[...new Set([...known.categories, tested.category ?? 'other'])].map((value) => ({
            value,
            label: categoryName(value),
          }))}
          value={tested.category ?? 'other'}
          onChange={({ value }) => onChange({ category: value })}
        />
      </Field>
      <Field label={t('channels.tester.package', 'Package')} noMargin>
        <Combobox
          id="nodebell-tester-package"
          createCustomValue
          options={[...new Set([...known.packages, tested.dnpName ?? 'unknown'])].map((value) => ({
            value,
            label: shortName(value),
          }))}
          value={tested.dnpName ?? 'unknown'}
          onChange={({ value }) => onChange({ dnpName: value })}
        />
      </Field>
      <NodeField known={known.nodes} node={tested.node} onChange={(node) => onChange({ node })} />
      <Field label={t('channels.route.statuses', 'Status')} noMargin>
        <Combobox
          id="nodebell-tester-status"
          options={STATUSES.map((value) => ({ value, label: statusLabel(value) }))}
          value={tested.status}
          onChange={({ value }) => onChange({ status: value })}
        />
      </Field>
    </>
  );
}

interface NodeProps {
  known: readonly string[];
  node: string | undefined;
  onChange: (node: string | undefined) => void;
}

function NodeField({ known, node, onChange }: NodeProps) {
  if (known.length === 0 && node === undefined) {
    return null;
  }
  const all = ['', ...new Set([...known, ...(node === undefined ? [] : [node])])];
  return (
    <Field label={t('channels.route.node', 'Node')} noMargin>
      <Combobox
        id="nodebell-tester-node"
        options={all.map((value) => ({ value, label: value || t('channels.tester.no-node', 'None') }))}
        value={node ?? ''}
        onChange={({ value }) => onChange(value || undefined)}
      />
    </Field>
  );
}

interface ResultProps {
  result: RouteTestResult;
  known: readonly ChannelStatus[];
}

function Result({ result: { channels, routes, waits, steps }, known }: ResultProps) {
  return (
    <div role="status">
      <p>
        {channels.length === 0 && steps.length === 0
          ? t('channels.tester.nowhere', 'It is not sent.')
          : channels.length > 0 &&
            t('channels.tester.sent', 'It is sent to {{channels}}.', { channels: conjunction(channels) })}
      </p>
      {waits.map(({ channel, why, until }) => (
        <p key={channel}>{waitText(channel, why, dateAndTime(until))}</p>
      ))}
      {steps.map((step) => (
        <p key={`${step.at} ${step.to}`}>{stepText(step)}</p>
      ))}
      <List>
        {routes.map((route) => (
          <li key={`${route.file ?? 'page'} ${route.index}`}>
            <Stack wrap rowGap={0} columnGap={2}>
              <StateText {...signOf(route)} />
              <div className={words}>
                {routeInWords(route, ...leadsTo(route, known))}
                <SecondaryText element="p">
                  {route.comparisons.length === 0
                    ? t('channels.why.all', 'It matches every notification')
                    : route.comparisons.map(comparisonText).join('; ')}
                </SecondaryText>
              </div>
            </Stack>
          </li>
        ))}
      </List>
    </div>
  );
}

function stepText({ at, to, channels, nobody }: RouteTestResult['steps'][number]): string {
  const names = { time: dateAndTime(at), target: targetInWords(to), channels: conjunction(channels) };
  return nobody === undefined
    ? t('channels.tester.step', '{{time}}, unless it is acknowledged, to {{target}}: {{channels}}', names)
    : t('channels.tester.step-nobody', '{{time}} to {{target}}: reaches nobody', names);
}

function waitText(channel: string, why: RouteTestResult['waits'][number]['why'], time: string): string {
  switch (why) {
    case 'digest':
      return t('channels.tester.waits-digest', '{{channel}}: in the digest, {{time}}', { channel, time });
    case 'quiet hours':
      return t('channels.tester.waits-quiet', '{{channel}}: after the quiet hours, {{time}}', { channel, time });
    case 'unacknowledged':
      return t('channels.tester.waits-unacknowledged', '{{channel}}: {{time}}, unless it is acknowledged', {
        channel,
        time,
      });
  }
}

const signOf = ({ matches, reached }: RouteTestResult['routes'][number]) =>
  !reached
    ? ({ icon: 'minus', tone: 'secondary', text: t('channels.tester.not-tried', 'Not tried') } as const)
    : matches
      ? ({ icon: 'check', tone: 'success', text: t('channels.tester.matches', 'Matches') } as const)
      : ({ icon: 'times', tone: 'secondary', text: t('channels.tester.no-match', 'Does not match') } as const);

const fields = css({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(200px, 100%), 1fr))',
  gap: 16,
});
const words = css({ flex: '1 1 240px', minWidth: 0, overflowWrap: 'anywhere' });
