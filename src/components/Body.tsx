import { Button, Text } from '@grafana/ui';
import { lazy, Suspense, useState } from 'react';
import { t } from '../i18n/t';
import { plainText, cutBody } from './bodyText';

const Markdown = lazy(() => import(/* webpackChunkName: "markdown" */ './Markdown'));

/** The body of a notification; a long one is shortened until expanded. */
export function Body({ text }: { text: string }) {
  const [all, setAll] = useState(false);
  const beginning = cutBody(text);
  return (
    <div>
      <Suspense fallback={<Text color="secondary">{plainText(text) || ' '}</Text>}>
        <Markdown text={all ? text : beginning} />
      </Suspense>
      {beginning !== text && (
        <Button
          variant="secondary"
          fill="text"
          size="sm"
          icon={all ? 'angle-up' : 'angle-down'}
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          {all
            ? t('parts.body.less', 'Show less')
            : t('parts.body.all', 'Show all {{n, number}} characters', { n: text.length })}
        </Button>
      )}
    </div>
  );
}
