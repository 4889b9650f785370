import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, useStyles2 } from '@grafana/ui';
import { forwardRef, type ComponentProps } from 'react';

type Props = Omit<ComponentProps<typeof Box>, 'element' | 'display' | 'direction' | 'ref'> & {
  /** Lines between the items. */
  divided?: boolean;
};

/** A list without bullets, one item below the other. */
export const List = forwardRef<HTMLElement, Props>(function List({ divided, ...props }, ref) {
  return <Box ref={ref} element={PlainList} display="flex" direction="column" data-divided={divided} {...props} />;
});

const PlainList = forwardRef<HTMLUListElement, ComponentProps<'ul'>>(function PlainList({ className, ...rest }, ref) {
  return <ul ref={ref} className={cx(className, useStyles2(getStyle))} {...rest} />;
});

const getStyle = (theme: GrafanaTheme2) =>
  css({
    listStyle: 'none',
    '&[data-divided] > li': { padding: theme.spacing(1, 0) },
    '&[data-divided] > li + li': { borderTop: `1px solid ${theme.colors.border.weak}` },
  });
