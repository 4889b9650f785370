import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, type ButtonProps, useStyles2 } from '@grafana/ui';
import { forwardRef, type MouseEvent } from 'react';

export type PendingButtonProps = ButtonProps & {
  /** Its request is in flight: clicks are ignored. A disabled button would lose the focus. */
  pending?: boolean;
};

/** A button that sends a request. */
export const PendingButton = forwardRef<HTMLButtonElement, PendingButtonProps>(function PendingButton(
  { pending = false, className, onClick, ...button },
  ref
) {
  const styles = useStyles2(getStyles);
  return (
    <Button
      ref={ref}
      {...button}
      aria-busy={pending}
      className={cx(className, pending && styles.pending)}
      // Also keeps a form from being submitted.
      onClick={pending ? (event: MouseEvent) => event.preventDefault() : onClick}
    />
  );
});

const getStyles = (theme: GrafanaTheme2) => ({
  pending: css({ opacity: theme.colors.action.disabledOpacity, cursor: 'not-allowed' }),
});
