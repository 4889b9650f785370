import { useCallback, useEffect, useRef, useState } from 'react';
import { Hidden } from '../parts/Hidden';

const COLLECT_MS = 800;

export interface Announcement {
  text: string;
  urgent?: boolean;
}

/** Says what happens to those who do not see it: politely, and at once when it is critical. */
export function useAnnouncer() {
  const [polite, setPolite] = useState('');
  const [urgent, setUrgent] = useState('');
  const collected = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const announce = useCallback((announcement: Announcement) => {
    if (announcement.urgent) {
      setUrgent(announcement.text);
      return;
    }
    collected.current.push(announcement.text);
    timer.current ??= setTimeout(() => {
      const texts = collected.current;
      collected.current = [];
      timer.current = undefined;
      setPolite(texts.length > 2 ? `${texts.length} new notifications` : texts.join('. '));
    }, COLLECT_MS);
  }, []);
  const regions = (
    <Hidden>
      <span role="log" aria-live="polite">
        {polite}
      </span>
      <span aria-live="assertive">{urgent}</span>
    </Hidden>
  );
  return { announce, regions };
}
