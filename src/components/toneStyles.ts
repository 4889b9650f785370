import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import type { Tone } from './words';

/** The colour of a sign. */
export const toneStyles = (theme: GrafanaTheme2): Record<Tone, string> => ({
  error: css({ color: theme.colors.error.text }),
  warning: css({ color: theme.colors.warning.text }),
  info: css({ color: theme.colors.info.text }),
  success: css({ color: theme.colors.success.text }),
  secondary: css({ color: theme.colors.text.secondary }),
});
