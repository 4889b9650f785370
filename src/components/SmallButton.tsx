import { forwardRef } from 'react';
import { PendingButton, type PendingButtonProps } from './PendingButton';

/** A secondary button in a row, card or text. */
export const SmallButton = forwardRef<HTMLButtonElement, PendingButtonProps>(function SmallButton(props, ref) {
  return <PendingButton ref={ref} size="sm" variant="secondary" {...props} />;
});
