import { Box } from '@grafana/ui';
import type { ComponentProps } from 'react';

/** A box with a border, on the background of the page. */
export const Bordered = (props: Omit<ComponentProps<typeof Box>, 'ref'>) => (
  <Box borderStyle="solid" borderColor="weak" borderRadius="default" backgroundColor="canvas" {...props} />
);
