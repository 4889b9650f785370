import { lazy, Suspense } from 'react';

const Markdown = lazy(() => import(/* webpackChunkName: "markdown" */ './Markdown'));

/** Markdown from a package author, rendered without loading or running anything. */
export function AuthorMarkdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<div style={{ whiteSpace: 'pre-wrap' }}>{text}</div>}>
      <Markdown text={text} />
    </Suspense>
  );
}
