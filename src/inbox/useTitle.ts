import { useEffect } from 'react';
import { rememberUnread } from '../extensions/unread';

/** Puts the count of unread before the page's title, which Grafana sets by itself, and into what other pages know of it. */
export function useTitleCount(count: number | undefined) {
  useEffect(() => {
    const plain = document.title.replace(/^\(\d+\) /, '');
    document.title = count ? `(${count}) ${plain}` : plain;
  });
  useEffect(() => {
    if (count !== undefined) {
      rememberUnread(count);
    }
  }, [count]);
  useEffect(
    () => () => {
      document.title = document.title.replace(/^\(\d+\) /, '');
    },
    []
  );
}
