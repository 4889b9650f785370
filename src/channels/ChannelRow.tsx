import { css } from '@emotion/css';
import { toIconName } from '@grafana/data';
import { Alert, Badge, Icon, Stack, Text, TextLink } from '@grafana/ui';
import { useMutation } from '@tanstack/react-query';
import type { ChannelStatus } from '@nodebell/contract/channel.ts';
import { DESCRIPTORS } from '@nodebell/contract/channelTypes/index.ts';
import { testChannel } from '../api/channels';
import { explain } from '../api/queryClient';
import { List } from '../components/List';
import { momentOf } from '../components/moments';
import { SecondaryText } from '../components/SecondaryText';
import { StateText } from '../components/StateText';
import { t } from '../i18n/t';
import { hoursInWords } from './hours';
import { OwnActions } from './OwnActions';
import { routeInWords } from './routeInWords';
import { healthOf, holdText } from './stateTexts';
import { SmallButton } from '../components/SmallButton';

/** Routes in a row; of the others, the number. */
const ROUTES = 3;

const isTestable = ({ type, disabled }: ChannelStatus): boolean => !disabled && !DESCRIPTORS[type].hasDevices;

const iconOf = (type: ChannelStatus['type']) => toIconName(DESCRIPTORS[type].icon) ?? 'bell';

interface Props {
  channel: ChannelStatus;
  now: number;
  onEdit: () => void;
  onUndelivered: () => void;
}

/** A channel with its health, its routes in words, and what can be done with it. */
export function ChannelRow({ channel, now, onEdit, onUndelivered }: Props) {
  const test = useMutation({ mutationFn: () => testChannel(channel.name), meta: { quiet: true } });
  const { name, type, file, state, disabled, lastFailure, warning } = channel;
  const failed = test.error ? explain(test.error) : test.data?.delivered === false ? test.data.reason : undefined;
  return (
    <li aria-label={name}>
      <Stack wrap alignItems="flex-start" columnGap={1.5} rowGap={1}>
        <Text color="secondary">
          <Icon name={iconOf(type)} size="xl" />
        </Text>
        <div className={text}>
          <Head channel={channel} now={now} />
          <Figures channel={channel} now={now} onUndelivered={onUndelivered} />
          {state === 'failing' && !disabled && lastFailure !== null && (
            <Text element="p" variant="bodySmall" color="error">
              {lastFailure}
            </Text>
          )}
          {warning !== undefined && !disabled && (
            <Text element="p" variant="bodySmall" color="warning">
              {warning}
            </Text>
          )}
          <RouteWords channel={channel} />
          {test.data?.delivered && (
            <Alert severity="success" title={t('channels.test.ok', 'The test was delivered')} onRemove={test.reset} />
          )}
          {failed !== undefined && (
            <Alert
              severity="error"
              title={t('channels.test.failed', 'The test was not delivered')}
              onRemove={test.reset}
            >
              {failed}
            </Alert>
          )}
        </div>
        <Stack wrap>
          {isTestable(channel) && (
            <SmallButton
              pending={test.isPending}
              aria-label={t('channels.test.send-over', 'Send a test over {{name}}', { name })}
              onClick={() => test.mutate()}
            >
              {test.isPending ? t('channels.test.sending', 'Sending…') : t('channels.test.send', 'Send a test')}
            </SmallButton>
          )}
          {file === undefined && <OwnActions channel={channel} onEdit={onEdit} />}
        </Stack>
      </Stack>
    </li>
  );
}

function Head({ channel, now }: Pick<Props, 'channel' | 'now'>) {
  const { name, type, target, file, node } = channel;
  return (
    <>
      <Stack wrap alignItems="center" rowGap={0.5} columnGap={1}>
        <Text weight="medium">{name}</Text>
        <StateText {...healthOf(channel, now)} />
        {file !== undefined && (
          <Badge
            color="blue"
            icon="file-alt"
            text={t('channels.row.provisioned', 'Provisioned by {{file}}', { file })}
          />
        )}
      </Stack>
      <SecondaryText element="p">
        {[
          DESCRIPTORS[type].label(t),
          target,
          ...(node === undefined ? [] : [t('channels.row.as-node', 'as node {{node}}', { node })]),
        ]
          .filter((text) => text !== '')
          .join(' · ')}
      </SecondaryText>
    </>
  );
}

function Figures({ channel, now, onUndelivered }: Pick<Props, 'channel' | 'now' | 'onUndelivered'>) {
  const { lastDeliveredAt, waiting, undelivered, holds } = channel;
  const facts = [
    ...(lastDeliveredAt === null
      ? []
      : [t('channels.row.last', 'Last delivery {{time}}', { time: momentOf(lastDeliveredAt, now) })]),
    ...(waiting === 0
      ? []
      : [
          t('channels.row.waiting', '', {
            count: waiting,
            defaultValue_one: '{{count, number}} waiting',
            defaultValue_other: '{{count, number}} waiting',
          }),
        ]),
    ...holds.map((hold) => holdText(hold, now)),
  ];
  return (
    <Stack wrap rowGap={0} columnGap={2}>
      {facts.map((fact) => (
        <SecondaryText key={fact}>{fact}</SecondaryText>
      ))}
      {undelivered > 0 && (
        <TextLink
          href="?tab=undelivered"
          variant="bodySmall"
          onClick={(event) => {
            event.preventDefault();
            onUndelivered();
          }}
        >
          {t('channels.row.undelivered', '', {
            count: undelivered,
            defaultValue_one: '{{count, number}} undelivered',
            defaultValue_other: '{{count, number}} undelivered',
          })}
        </TextLink>
      )}
    </Stack>
  );
}

function RouteWords({ channel }: Pick<Props, 'channel'>) {
  const { routes, disabled, quietHours = [] } = channel;
  if (routes.length === 0) {
    return disabled ? null : (
      <SecondaryText element="p">{t('channels.row.no-routes', 'No route leads to it: nothing is sent.')}</SecondaryText>
    );
  }
  const words = [...new Set(routes.map((route) => routeInWords(route, channel)))];
  const others = words.length - ROUTES;
  return (
    <List>
      {quietHours.length > 0 && (
        <li>
          <SecondaryText>
            {t('channels.row.quiet', 'Quiet: {{hours}}', { hours: quietHours.map(hoursInWords).join('; ') })}
          </SecondaryText>
        </li>
      )}
      {words.slice(0, ROUTES).map((text) => (
        <li key={text}>
          <Text variant="bodySmall">{text}</Text>
        </li>
      ))}
      {others > 0 && (
        <li>
          <Text variant="bodySmall">
            {t('channels.row.more-routes', '', {
              count: others,
              defaultValue_one: 'and {{count, number}} more route',
              defaultValue_other: 'and {{count, number}} more routes',
            })}
          </Text>
        </li>
      )}
    </List>
  );
}

const text = css({ flex: '1 1 220px', minWidth: 0, overflowWrap: 'anywhere' });
