import { useEffect } from 'react';

/** Puts the count of unread before the page's title, which Grafana sets by itself. */
export function useTitleCount(count: number | undefined) {
  useEffect(() => {
    const plain = document.title.replace(/^\(\d+\) /, '');
    document.title = count ? `(${count}) ${plain}` : plain;
  });
  useEffect(
    () => () => {
      document.title = document.title.replace(/^\(\d+\) /, '');
    },
    []
  );
}
