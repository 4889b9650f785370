import { Text } from '@grafana/ui';
import type { ComponentProps } from 'react';

/** Small text beside the main one. */
export const SecondaryText = (props: Omit<ComponentProps<typeof Text>, 'variant' | 'color' | 'ref'>) => (
  <Text variant="bodySmall" color="secondary" {...props} />
);
