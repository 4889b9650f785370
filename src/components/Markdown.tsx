import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import type { AnchorHTMLAttributes, ImgHTMLAttributes } from 'react';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { safeLink } from '@nodebell/contract/text.ts';
import { t } from '../i18n/t';
import { linkProps } from './links';

/** The body of a notification. Raw HTML stays text, and images are links, so that opening a notification sends no request to its sender. */
export default function Markdown({ text }: { text: string }) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.body} dir="auto">
      <ReactMarkdown remarkPlugins={[remarkGfm]} urlTransform={(url) => safeLink(url)} components={COMPONENTS}>
        {text}
      </ReactMarkdown>
    </div>
  );
}

function BodyLink({ href, children }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  const props = href ? linkProps(href) : undefined;
  return props ? <a {...props}>{children}</a> : <>{children}</>;
}

function BodyImage({ src, alt }: ImgHTMLAttributes<HTMLImageElement>) {
  const props = typeof src === 'string' ? linkProps(src) : undefined;
  const text = alt || t('parts.body.image', 'Image');
  return props ? <a {...props}>{text}</a> : <>{text}</>;
}

const COMPONENTS = { a: BodyLink, img: BodyImage };

const getStyles = (theme: GrafanaTheme2) => ({
  body: css({
    maxWidth: 720,
    overflowWrap: 'anywhere',
    '& > *:last-child': { marginBottom: 0 },
    'p, ul, ol, pre, table, blockquote': { marginBottom: theme.spacing(1.5) },
    'ul, ol': { paddingInlineStart: theme.spacing(2.5) },
    'h1, h2, h3, h4, h5, h6': { ...theme.typography.h5, margin: theme.spacing(1.5, 0, 1) },
    a: { color: theme.colors.text.link, textDecoration: 'underline' },
    code: {
      fontFamily: theme.typography.fontFamilyMonospace,
      fontSize: theme.typography.bodySmall.fontSize,
      padding: theme.spacing(0.25, 0.75),
      border: `1px solid ${theme.colors.border.weak}`,
      borderRadius: theme.shape.radius.default,
      background: theme.colors.background.canvas,
      color: theme.colors.text.primary,
      whiteSpace: 'pre-wrap',
    },
    pre: {
      padding: theme.spacing(1),
      border: `1px solid ${theme.colors.border.weak}`,
      borderRadius: theme.shape.radius.default,
      background: theme.colors.background.canvas,
      overflowX: 'auto',
    },
    'pre code': { padding: 0, border: 'none', background: 'none', whiteSpace: 'pre' },
    table: { display: 'block', overflowX: 'auto', borderCollapse: 'collapse' },
    'th, td': { padding: theme.spacing(0.5, 1), border: `1px solid ${theme.colors.border.weak}` },
    blockquote: {
      margin: theme.spacing(0, 0, 1.5),
      paddingInlineStart: theme.spacing(1.5),
      borderInlineStart: `3px solid ${theme.colors.border.medium}`,
      color: theme.colors.text.secondary,
    },
    'input[type=checkbox]': { marginInlineEnd: theme.spacing(0.5) },
  }),
});
