import { css } from '@emotion/css';
import type { ReactNode } from 'react';

/** Text for screen readers only. */
export function Hidden({ children }: { children: ReactNode }) {
  return <span className={hidden}>{children}</span>;
}

const hidden = css({
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
});
