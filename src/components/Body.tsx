import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Spinner, Text, useStyles2 } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { Notification } from '@nodebell/contract/notification.ts';
import { getWholeText } from '../api/notifications';
import { t } from '../i18n/t';
import { cutBody, plainText, textChunks } from './bodyText';
import { sizeText } from './size';
import { SmallButton } from './SmallButton';

const Markdown = lazy(() => import(/* webpackChunkName: "markdown" */ './Markdown'));

/** Longer text is shown as it is: Markdown of some kilobytes can take a browser seconds. Characters. */
const MOST_MARKDOWN = 5000;

/** The body of a notification. A long one is shortened until expanded, and loaded then if the response truncated it. */
export function Body({
  notification,
}: {
  notification: Pick<Notification, 'id' | 'body' | 'bodyTruncated' | 'bodyBytes'>;
}) {
  const { id, body, bodyTruncated = false, bodyBytes } = notification;
  const [all, setAll] = useState(false);
  const whole = useQuery({
    queryKey: ['inbox', 'body', id],
    queryFn: ({ signal }) => getWholeText(id, 'body', signal),
    enabled: all && bodyTruncated,
    staleTime: Infinity,
    gcTime: 60_000,
  });
  const beginning = cutBody(body);
  const text = bodyTruncated ? whole.data : body;
  const shown = all && text !== undefined ? text : beginning;
  return (
    <div>
      {shown.length > MOST_MARKDOWN ? (
        <LongText text={shown} />
      ) : (
        <Suspense fallback={<Text color="secondary">{plainText(body) || ' '}</Text>}>
          <Markdown text={shown} />
        </Suspense>
      )}
      {all && whole.isFetching && <Spinner inline />}
      {all && whole.error && <Text color="error">{whole.error.message}</Text>}
      {(beginning !== body || bodyTruncated) && (
        <ShowAll
          all={all}
          length={bodyTruncated ? undefined : body.length}
          bytes={bodyBytes}
          onClick={() => setAll(!all)}
        />
      )}
    </div>
  );
}

interface ShowAllProps {
  all: boolean;
  /** Characters; undefined for a text that has to be loaded. */
  length: number | undefined;
  /** Size of a text that has to be loaded, if known. */
  bytes: number | undefined;
  onClick: () => void;
}

function allWords(length: number | undefined, bytes: number | undefined): string {
  if (length !== undefined) {
    return t('parts.body.all', 'Show all {{n, number}} characters', { n: length });
  }
  return bytes === undefined
    ? t('parts.body.whole', 'Show all')
    : t('parts.body.all-size', 'Show all ({{size}})', { size: sizeText(bytes) });
}

function ShowAll({ all, length, bytes, onClick }: ShowAllProps) {
  return (
    <SmallButton fill="text" icon={all ? 'angle-up' : 'angle-down'} aria-expanded={all} onClick={onClick}>
      {all ? t('parts.body.less', 'Show less') : allWords(length, bytes)}
    </SmallButton>
  );
}

/** Only what is in sight is laid out, so a megabyte scrolls like a page. */
function LongText({ text }: { text: string }) {
  const styles = useStyles2(getStyles);
  const chunks = useMemo(() => textChunks(text), [text]);
  return (
    <div className={styles.long} dir="auto">
      {chunks.map((chunk, index) => (
        <div key={index}>{chunk}</div>
      ))}
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  long: css({
    maxWidth: 720,
    overflowWrap: 'anywhere',
    whiteSpace: 'pre-wrap',
    fontFamily: theme.typography.fontFamilyMonospace,
    fontSize: theme.typography.bodySmall.fontSize,
    '& > div': { minHeight: '1lh', contentVisibility: 'auto', containIntrinsicSize: 'auto 1500px' },
  }),
});
