import { css, cx } from '@emotion/css';
import { Box } from '@grafana/ui';
import { forwardRef, type ComponentProps } from 'react';

type Props = Omit<ComponentProps<typeof Box>, 'element' | 'display' | 'direction' | 'ref'>;

/** A list without bullets, one item below the other. */
export const List = forwardRef<HTMLElement, Props>(function List(props, ref) {
  return <Box ref={ref} element={PlainList} display="flex" direction="column" {...props} />;
});

const PlainList = forwardRef<HTMLUListElement, ComponentProps<'ul'>>(function PlainList({ className, ...rest }, ref) {
  return <ul ref={ref} className={cx(className, plain)} {...rest} />;
});

const plain = css({ listStyle: 'none' });
