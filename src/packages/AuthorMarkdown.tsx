import { lazy, Suspense } from 'react';

const Markdown = lazy(() => import(/* webpackChunkName: "markdown" */ '../components/Markdown'));

/** Text of a package's author, unchanged: Markdown, of which nothing is loaded or run. */
export function AuthorMarkdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<div style={{ whiteSpace: 'pre-wrap' }}>{text}</div>}>
      <Markdown text={text} />
    </Suspense>
  );
}
