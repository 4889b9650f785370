import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Badge, Button, Text, useStyles2 } from '@grafana/ui';
import type { ReactNode, RefObject } from 'react';
import type { IgnoredMember, NotificationDetail } from '@nodebell/contract/notification.ts';
import { t } from '../../i18n/t';
import { SenderAvatar, SenderName } from '../../components/SenderAvatar';
import { CallButton } from '../CallButton';
import { StateText } from '../../components/StateText';
import { absoluteTime } from '../../components/moments';
import { categoryName } from '../../components/messages';
import { flappingLabel, prioritySign, responseSigns, stateSign } from '../messages';
import { Body } from '../../components/Body';
import { AlertContext } from './AlertContext';
import { Deliveries } from './Deliveries';
import type { LabelFilter } from './labels';
import type { Respond } from '../useRespond';
import { may } from '../../api/permissions';
import { CommentField, RespondButtons } from './Respond';
import { Timeline } from './Timeline';
import { SilenceButton } from '../silences/SilenceButton';
import { useSilenceSigns } from '../silences/useSilences';

interface Props {
  detail: NotificationDetail;
  now: number;
  disabled: boolean;
  /** Actions beside the title; undefined where they are in the page header. */
  actions?: ReactNode;
  headingLevel: 1 | 2;
  onResolve: (() => void) | undefined;
  onOpen: (id: number) => void;
  onShowOnly: (filter: LabelFilter) => void;
  respond: Respond;
  commentRef?: RefObject<HTMLTextAreaElement>;
}

/** One notification in full, with the history of its thread. */
export function Detail({
  detail,
  now,
  disabled,
  actions,
  headingLevel,
  onResolve,
  onOpen,
  onShowOnly,
  respond,
  commentRef,
}: Props) {
  const styles = useStyles2(getStyles);
  return (
    <article className={styles.detail} aria-label={detail.title} data-detail={detail.id}>
      <header className={styles.header}>
        <SenderAvatar notification={detail} size={40} />
        <div className={styles.names} dir="auto">
          <Text element={headingLevel === 1 ? 'h1' : 'h2'} variant="h4" weight="medium">
            <span className={styles.fourLines} title={detail.title}>
              {detail.title}
            </span>
          </Text>
          <Text color="secondary" variant="bodySmall">
            <span className={styles.oneLine} title={detail.dnpName}>
              {detail.node !== undefined && `${detail.node}: `}
              <SenderName dnpName={detail.dnpName} />
            </span>
          </Text>
        </div>
        {actions}
      </header>
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
      <Buttons {...{ detail, disabled, onResolve, respond }} />
      {detail.alert && (
        <AlertContext key={`alert ${detail.id}`} alert={detail.alert} {...{ detail, now, onShowOnly }} />
      )}
      <Deliveries {...{ detail, now }} />
      {detail.ignored && <Ignored members={detail.ignored} />}
      <History {...{ detail, now, disabled, onOpen, respond }} {...(commentRef && { commentRef })} />
    </article>
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

function Buttons({
  detail,
  disabled,
  onResolve,
  respond,
}: Pick<Props, 'detail' | 'disabled' | 'onResolve' | 'respond'>) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.buttons}>
      {detail.callToAction && <CallButton {...detail.callToAction} />}
      {onResolve && (
        <Button
          variant="secondary"
          icon="check-circle"
          disabled={disabled}
          onClick={onResolve}
          tooltip={t('inbox.detail.close-text', 'Mark as resolved. A new alert reopens the thread.')}
        >
          {t('inbox.detail.close', 'Resolve')}
        </Button>
      )}
      {detail.errors === undefined && <SilenceButton key={detail.id} {...{ detail, disabled }} />}
      {detail.errors === undefined && <RespondButtons {...{ detail, disabled, respond }} />}
    </div>
  );
}

/** The thread, with what people did, and a field to add a comment. */
function History(props: Pick<Props, 'detail' | 'now' | 'disabled' | 'onOpen' | 'respond' | 'commentRef'>) {
  const { detail, now, disabled, onOpen, respond, commentRef } = props;
  const mayComment = may('inbox:write');
  return (
    <>
      {(detail.members.length > 1 || detail.timeline !== undefined) && (
        <Timeline
          respond={mayComment ? respond : undefined}
          mayDeleteComments={may('bridge:admin')}
          {...{ detail, now, onOpen }}
        />
      )}
      {mayComment && detail.errors === undefined && (
        <CommentField key={`comment ${detail.id}`} fieldRef={commentRef} {...{ detail, disabled, respond }} />
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
  detail: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2) }),
  header: css({
    display: 'flex',
    gap: theme.spacing(1.5),
    alignItems: 'flex-start',
    '& > :last-child:not(:nth-child(2))': { flex: 'none' },
  }),
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
