import { css } from '@emotion/css';
import type { ReactNode } from 'react';

/** Breaks words inside that are longer than their line, such as package names and URLs. */
export const BreakWords = ({ children }: { children: ReactNode }) => <div className={breaking}>{children}</div>;

const breaking = css({ overflowWrap: 'anywhere' });
