// @vitest-environment jsdom
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Trans } from './t';

/** The visible text. */
function textOf(markup: string): string | null {
  const element = document.createElement('div');
  element.innerHTML = markup;
  return element.textContent;
}

// Values come from package authors: names, conditions, addresses.
it.each(['[RESPONSE_TIME] < 500ms', '{{value}}', 'a <1>b</1> c', '<b>x</b>', 'a/b & "c"', '$t(other.key)', '&lt;'])(
  'a value inside a text with elements is not interpreted: %s',
  (value) => {
    const markup = renderToStaticMarkup(
      <Trans i18nKey="test.only" values={{ value }}>
        Healthy while <code>{'{{value}}'}</code>, or not
      </Trans>
    );
    expect(textOf(markup)).toBe(`Healthy while ${value}, or not`);
  }
);
