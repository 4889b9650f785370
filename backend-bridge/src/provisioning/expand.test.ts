import { expect, test } from 'vitest';
import { expand } from './expand.ts';

const env = { TOKEN: 'a$b${TOKEN}', EMPTY: '', _x1: 'one' };

test.each([
  ['nothing to do', 'nothing to do'],
  ['${TOKEN}', 'a$b${TOKEN}'],
  ['$TOKEN/x', 'a$b${TOKEN}/x'],
  ['$_x1-${_x1}', 'one-one'],
  ['costs $$5 or $5, $', 'costs $5 or $5, $'],
  ['$$TOKEN', '$TOKEN'],
  ['$${TOKEN}', '${TOKEN}'],
])('%s', (text, expanded) => {
  expect(expand(text, env)).toEqual({ text: expanded, mistakes: [] });
});

test.each([
  ['${NONE}', /NONE is not set/],
  ['$NONE', /NONE is not set/],
  ['${EMPTY}', /EMPTY is not set/],
  ['${a-b}', /names no variable/],
  ['${}', /names no variable/],
  ['${TOKEN', /names no variable/],
])('%s is a mistake', (text, words) => {
  expect(expand(text, env)).toEqual({ text, mistakes: [expect.stringMatching(words)] });
});

test('mistakes come all at once and hold no value', () => {
  const { mistakes } = expand('${NONE} ${TOKEN} $OTHER', env);
  expect(mistakes).toHaveLength(2);
  expect(mistakes.join()).not.toContain('a$b');
});
