// @vitest-environment jsdom
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Trans } from './t';

/** What a person reads. */
function textOf(markup: string): string | null {
  const element = document.createElement('div');
  element.innerHTML = markup;
  return element.textContent;
}

// Values are a package author's: names, conditions, addresses.
it.each(['[RESPONSE_TIME] < 500ms', '{{value}}', 'a <1>b</1> c', '<b>x</b>', 'a/b & "c"', '$t(other.key)', '&lt;'])(
  'a value inside a text with elements is shown as it is: %s',
  (value) => {
    const markup = renderToStaticMarkup(
      <Trans i18nKey="test.only" values={{ value }}>
        Healthy while <code>{'{{value}}'}</code>, or not
      </Trans>
    );
    expect(textOf(markup)).toBe(`Healthy while ${value}, or not`);
  }
);
