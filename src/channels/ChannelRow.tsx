import { css } from '@emotion/css';
import { type GrafanaTheme2, toIconName } from '@grafana/data';
import { Alert, Badge, Button, Icon, TextLink, useStyles2 } from '@grafana/ui';
import { useMutation } from '@tanstack/react-query';
import type { ChannelStatus } from '@nodebell/contract/channel.ts';
import { DESCRIPTORS } from '@nodebell/contract/channelTypes/index.ts';
import { testChannel } from '../api/channels';
import { explain } from '../api/queryClient';
import { momentOf } from '../components/moments';
import { StateText } from '../components/StateText';
import { t } from '../i18n/t';
import { hoursInWords } from './hours';
import { OwnActions } from './OwnActions';
import { routeInWords } from './routeInWords';
import { healthOf, holdText } from './stateTexts';

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
  const styles = useStyles2(getStyles);
  const test = useMutation({ mutationFn: () => testChannel(channel.name), meta: { quiet: true } });
  const { name, type, target, file, state, disabled, lastFailure, node } = channel;
  const failed = test.error ? explain(test.error) : test.data?.delivered === false ? test.data.reason : undefined;
  return (
    <li className={styles.row} aria-label={name}>
      <Icon name={iconOf(type)} size="xl" className={styles.icon} />
      <div className={styles.text}>
        <div className={styles.name}>
          <span>{name}</span>
          <StateText {...healthOf(channel, now)} />
          {file !== undefined && (
            <Badge
              color="blue"
              icon="file-alt"
              text={t('channels.row.provisioned', 'Provisioned by {{file}}', { file })}
            />
          )}
        </div>
        <div className={styles.facts}>
          {[
            DESCRIPTORS[type].label(t),
            target,
            ...(node === undefined ? [] : [t('channels.row.as-node', 'as node {{node}}', { node })]),
          ]
            .filter((text) => text !== '')
            .join(' · ')}
        </div>
        <Figures channel={channel} now={now} onUndelivered={onUndelivered} />
        {state === 'failing' && !disabled && lastFailure !== null && (
          <div className={styles.failure}>{lastFailure}</div>
        )}
        <RouteWords channel={channel} />
        {test.data?.delivered && (
          <Alert severity="success" title={t('channels.test.ok', 'The test was delivered')} onRemove={test.reset} />
        )}
        {failed !== undefined && (
          <Alert severity="error" title={t('channels.test.failed', 'The test was not delivered')} onRemove={test.reset}>
            {failed}
          </Alert>
        )}
      </div>
      <div className={styles.actions}>
        {isTestable(channel) && (
          <Button
            size="sm"
            variant="secondary"
            disabled={test.isPending}
            aria-label={t('channels.test.send-over', 'Send a test over {{name}}', { name })}
            onClick={() => test.mutate()}
          >
            {test.isPending ? t('channels.test.sending', 'Sending…') : t('channels.test.send', 'Send a test')}
          </Button>
        )}
        {file === undefined && <OwnActions channel={channel} onEdit={onEdit} />}
      </div>
    </li>
  );
}

function Figures({ channel, now, onUndelivered }: Pick<Props, 'channel' | 'now' | 'onUndelivered'>) {
  const styles = useStyles2(getStyles);
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
    <div className={styles.figures}>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
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
    </div>
  );
}

function RouteWords({ channel }: Pick<Props, 'channel'>) {
  const styles = useStyles2(getStyles);
  const { routes, disabled, quietHours = [] } = channel;
  if (routes.length === 0) {
    return disabled ? null : (
      <div className={styles.facts}>{t('channels.row.no-routes', 'No route leads to it: nothing is sent.')}</div>
    );
  }
  const words = [...new Set(routes.map((route) => routeInWords(route, channel)))];
  const others = words.length - ROUTES;
  return (
    <ul className={styles.routes}>
      {quietHours.length > 0 && (
        <li className={styles.facts}>
          {t('channels.row.quiet', 'Quiet: {{hours}}', { hours: quietHours.map(hoursInWords).join('; ') })}
        </li>
      )}
      {words.slice(0, ROUTES).map((text) => (
        <li key={text}>{text}</li>
      ))}
      {others > 0 && (
        <li>
          {t('channels.row.more-routes', '', {
            count: others,
            defaultValue_one: 'and {{count, number}} more route',
            defaultValue_other: 'and {{count, number}} more routes',
          })}
        </li>
      )}
    </ul>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  row: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'flex-start',
    gap: theme.spacing(1, 1.5),
    padding: theme.spacing(1.5, 0),
    borderBottom: `1px solid ${theme.colors.border.weak}`,
  }),
  icon: css({ flex: 'none', color: theme.colors.text.secondary }),
  text: css({
    flex: '1 1 220px',
    minWidth: 0,
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(0.5),
    overflowWrap: 'anywhere',
  }),
  name: css({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(0.5, 1), fontWeight: 500 }),
  facts: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize }),
  figures: css({
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(0, 2),
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
  }),
  failure: css({ color: theme.colors.error.text, fontSize: theme.typography.bodySmall.fontSize }),
  routes: css({
    listStyle: 'none',
    margin: 0,
    padding: 0,
    fontSize: theme.typography.bodySmall.fontSize,
  }),
  actions: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1) }),
});
