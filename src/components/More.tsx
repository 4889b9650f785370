import { Box, Button } from '@grafana/ui';
import { useEffect, useRef } from 'react';
import { useLatest } from './useLatest';

/** Loads the next part of a long list when scrolled near or clicked. Use a new `key` for each part. */
export function More({ label, onMore }: { label: string; onMore: () => void }) {
  const ref = useRef<HTMLDivElement>(null);
  const latest = useLatest(onMore);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), {
      rootMargin: '600px',
    });
    if (ref.current) {
      observer.observe(ref.current);
    }
    return () => observer.disconnect();
  }, [latest]);
  return (
    <Box ref={ref} display="flex" justifyContent="center" padding={2}>
      <Button variant="secondary" fill="text" icon="angle-down" onClick={onMore}>
        {label}
      </Button>
    </Box>
  );
}
