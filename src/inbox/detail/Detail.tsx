import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Badge, Box, Text, useStyles2 } from '@grafana/ui';
import type { ReactNode, RefObject } from 'react';
import type { IgnoredMember, NotificationDetail } from '@nodebell/contract/notification.ts';
import { t } from '../../i18n/t';
import { SenderAvatar, SenderName } from '../../components/SenderAvatar';
import { CallButton } from '../CallButton';
import { StateText } from '../../components/StateText';
import { absoluteTime } from '../../components/moments';
import { categoryName } from '../../components/messages';
import { flappingLabel, prioritySign, responseSigns, stateSign } from '../../components/threads';
import { Body } from '../../components/Body';
import { AlertContext, Labels } from './AlertContext';
import { Deliveries } from './Deliveries';
import type { LabelFilter } from './labels';
import { ActionButton } from '../ActionButton';
import { isPermitted, type Run, threadOf } from '../actions';
import { may } from '../../api/permissions';
import { CommentField } from './CommentField';
import { Timeline } from './Timeline';
import { SilenceButton } from '../silences/SilenceButton';
import { useSilenceSigns } from '../silences/useSilences';
import { SecondaryText } from '../../components/SecondaryText';

interface Props {
  detail: NotificationDetail;
  now: number;
  disabled: boolean;
  /** Actions beside the title; undefined where they are in the page header. */
  actions?: ReactNode;
  headingLevel: 1 | 2;
  onOpen: (id: number) => void;
  onShowOnly: (filter: LabelFilter) => void;
  run: Run;
  runAsync: Run<Promise<unknown>>;
  rootRef?: RefObject<HTMLElement>;
}

/** One notification in full, with the history of its thread. */
export function Detail(props: Props) {
  const { detail, now, disabled, actions, headingLevel, onShowOnly, run, rootRef } = props;
  const styles = useStyles2(getStyles);
  return (
    <Box
      ref={rootRef}
      element="article"
      display="flex"
      direction="column"
      gap={2}
      aria-label={detail.title}
      data-detail={detail.id}
    >
      <Box element="header" display="flex" gap={1.5} alignItems="flex-start">
        <SenderAvatar notification={detail} size={40} />
        <div className={styles.names} dir="auto">
          <Text element={headingLevel === 1 ? 'h1' : 'h2'} variant="h4" weight="medium">
            <span className={styles.fourLines} title={detail.title}>
              {detail.title}
            </span>
          </Text>
          <SecondaryText>
            <span className={styles.oneLine} title={detail.dnpName}>
              {detail.node !== undefined && `${detail.node}: `}
              <SenderName dnpName={detail.dnpName} />
            </span>
          </SecondaryText>
        </div>
        {actions && <Box shrink={0}>{actions}</Box>}
      </Box>
      <Badges {...{ detail, now }} />
      {detail.errors !== undefined && (
        <Alert
          severity="error"
          title={t('inbox.detail.error', 'The sender reported an error for this notification')}
          role="note"
          bottomSpacing={0}
        >
          <span className={styles.wrap}>{detail.errors}</span>
        </Alert>
      )}
      <Body key={detail.id} notification={detail} />
      <Buttons {...{ detail, disabled, run }} />
      {detail.alert ? (
        <AlertContext key={`alert ${detail.id}`} alert={detail.alert} {...{ detail, now, onShowOnly }} />
      ) : (
        detail.labels && <Labels key={`labels ${detail.id}`} labels={detail.labels} {...{ detail, onShowOnly }} />
      )}
      <Deliveries {...{ detail, now }} />
      {detail.ignored && <Ignored members={detail.ignored} />}
      <History {...props} />
    </Box>
  );
}

function Badges({ detail, now }: Pick<Props, 'detail' | 'now'>) {
  const styles = useStyles2(getStyles);
  const state = stateSign(detail.thread, now, 'long');
  const silence = useSilenceSigns(detail, now);
  return (
    <div className={styles.badges}>
      <Badge {...prioritySign(detail.priority)} />
      {state && <StateText {...state} />}
      {detail.thread.flapping && (
        <StateText icon="sync" tone="secondary" text={flappingLabel(detail.thread.flapping.turns)} />
      )}
      {[...silence, ...responseSigns(detail.thread, now)].map(({ icon, tone, text }) => (
        <StateText key={icon} {...{ icon, tone, text }} />
      ))}
      {detail.muted && <StateText icon="bell-slash" tone="secondary" text={t('inbox.state.muted', 'Muted')} />}
      <time dateTime={detail.timestamp}>{absoluteTime(detail.timestamp)}</time>
      <span dir="auto" className={styles.oneLine} title={detail.category}>
        {categoryName(detail.category)}
      </span>
    </div>
  );
}

function Buttons({ detail, disabled, run }: Pick<Props, 'detail' | 'disabled' | 'run'>) {
  const styles = useStyles2(getStyles);
  const { thread } = detail;
  const targets = threadOf(detail);
  const outside = detail.errors !== undefined;
  const responses = [thread.acknowledged ? 'unacknowledge' : 'acknowledge', 'snooze', 'assign'] as const;
  return (
    <div className={styles.buttons}>
      {detail.callToAction && <CallButton {...detail.callToAction} />}
      {thread.state === 'open' && isPermitted('resolve', false) && (
        <ActionButton id="resolve" {...{ targets, disabled, run, thread }} />
      )}
      {!outside && <SilenceButton key={detail.id} {...{ detail, disabled }} />}
      {responses.map(
        (id) => isPermitted(id, outside) && <ActionButton key={id} {...{ id, targets, disabled, run, thread }} />
      )}
    </div>
  );
}

/** The thread, with what people did, and a field to add a comment. */
function History({ detail, now, disabled, onOpen, runAsync }: Props) {
  return (
    <>
      {(detail.members.length > 1 || detail.timeline !== undefined) && <Timeline {...{ detail, now, onOpen }} />}
      {may('inbox:write') && detail.errors === undefined && (
        <CommentField key={`comment ${detail.id}`} {...{ detail, disabled, runAsync }} />
      )}
    </>
  );
}

/** Changes made when the notification was received; for its sender. */
function Ignored({ members }: { members: readonly IgnoredMember[] }) {
  const styles = useStyles2(getStyles);
  const title = t('inbox.detail.ignored', 'Not stored as sent');
  return (
    <section aria-label={title} className={styles.ignored}>
      <Text element="h3" variant="bodySmall" weight="medium">
        {title}
      </Text>
      <ul>
        {members.map(({ pointer, reason }) => (
          <li key={`${pointer} ${reason}`}>
            <code>{pointer}</code> {reason}
          </li>
        ))}
      </ul>
    </section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  names: css({
    flex: 1,
    minWidth: 0,
    overflowWrap: 'anywhere',
    display: 'flex',
    flexDirection: 'column',
    textAlign: 'left',
    '& > *': { margin: 0 },
    a: { color: 'inherit', textDecoration: 'underline' },
  }),
  badges: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(0.5, 2),
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
    fontVariantNumeric: 'tabular-nums',
    // A long name of a window, or of a person.
    '& > span': { flex: '0 1 auto', whiteSpace: 'normal', overflowWrap: 'anywhere' },
  }),
  ignored: css({
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
    overflowWrap: 'anywhere',
    ul: {
      listStyle: 'none',
      display: 'flex',
      flexDirection: 'column',
      gap: theme.spacing(0.5),
      marginTop: theme.spacing(0.5),
    },
  }),
  buttons: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1), '&:empty': { display: 'none' } }),
  // A very long name must not push the text out of view.
  fourLines: css({ display: '-webkit-box', WebkitBoxOrient: 'vertical', WebkitLineClamp: 4, overflow: 'hidden' }),
  oneLine: css({
    display: 'block',
    minWidth: 0,
    maxWidth: '100%',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  }),
  wrap: css({ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }),
});
