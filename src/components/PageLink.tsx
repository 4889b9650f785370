import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import type { ComponentProps } from 'react';
import { linkProps } from './links';

interface Props extends Omit<ComponentProps<'a'>, 'href' | 'className' | 'ref'> {
  href: string;
  /** In the colour of text. */
  subtle?: boolean;
}

/** A link in text. Paths open in the app, other addresses in a new tab. */
export function PageLink({ href, subtle = false, ...props }: Props) {
  const styles = useStyles2(getStyles);
  return <a className={subtle ? styles.subtle : styles.link} {...props} {...linkProps(href)} />;
}

const getStyles = (theme: GrafanaTheme2) => {
  const hover = { '&:hover, &:focus-visible': { textDecoration: 'underline' } };
  return {
    link: css({ color: theme.colors.text.link, ...hover }),
    subtle: css({ color: theme.colors.text.primary, ...hover }),
  };
};
