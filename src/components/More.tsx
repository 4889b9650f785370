import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';
import { useEffect, useRef } from 'react';

/** Loads the next part of a long list when scrolled near or clicked. Use a new `key` for each part. */
export function More({ label, onMore }: { label: string; onMore: () => void }) {
  const styles = useStyles2(getStyles);
  const ref = useRef<HTMLDivElement>(null);
  const latest = useRef(onMore);
  useEffect(() => {
    latest.current = onMore;
  });
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), {
      rootMargin: '600px',
    });
    if (ref.current) {
      observer.observe(ref.current);
    }
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={ref} className={styles.more}>
      <Button variant="secondary" fill="text" icon="angle-down" onClick={onMore}>
        {label}
      </Button>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  more: css({ display: 'flex', justifyContent: 'center', padding: theme.spacing(2) }),
});
