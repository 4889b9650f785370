import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState, type RefObject } from 'react';
import { t } from '../i18n/t';
import { Hidden } from '../components/Hidden';

const COLLECT_MS = 800;

export interface Announcement {
  text: string;
  urgent?: boolean;
}

/** Announces updates to screen readers: politely, or assertively when critical. */
export function useAnnouncer() {
  const say = useRef<(announcement: Announcement) => void>(undefined);
  const announce = useCallback((announcement: Announcement) => say.current?.(announcement), []);
  const regions = useMemo(() => <Regions say={say} />, []);
  return { announce, regions };
}

/** A new element for each, so that the same text is announced again. */
interface Spoken {
  text: string;
  round: number;
}

const NOTHING: Spoken = { text: '', round: 0 };
const next =
  (text: string) =>
  ({ round }: Spoken): Spoken => ({ text, round: round + 1 });

/** A separate component, so that announcements do not render the page again. */
function Regions({ say }: { say: RefObject<((announcement: Announcement) => void) | undefined> }) {
  const [polite, setPolite] = useState<Spoken>(NOTHING);
  const [urgent, setUrgent] = useState<Spoken>(NOTHING);
  const collected = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useImperativeHandle(
    say,
    () => (announcement) => {
      if (announcement.urgent) {
        setUrgent(next(announcement.text));
        return;
      }
      collected.current.push(announcement.text);
      timer.current ??= setTimeout(() => {
        const texts = collected.current;
        collected.current = [];
        timer.current = undefined;
        setPolite(
          next(
            texts.length > 2
              ? t('inbox.live.several', '{{n, number}} new notifications', { n: texts.length })
              : texts.join('. ')
          )
        );
      }, COLLECT_MS);
    },
    []
  );
  return (
    <Hidden>
      <span role="log" aria-live="polite">
        <span key={polite.round}>{polite.text}</span>
      </span>
      <span aria-live="assertive">
        <span key={urgent.round}>{urgent.text}</span>
      </span>
    </Hidden>
  );
}
