import { Button, type ButtonProps } from '@grafana/ui';
import { forwardRef } from 'react';

/** A secondary button in a row, card or text. */
export const SmallButton = forwardRef<HTMLButtonElement, ButtonProps>(function SmallButton(props, ref) {
  return <Button ref={ref} size="sm" variant="secondary" {...props} />;
});
