import { expect, it } from 'vitest';
import { cutBody } from './cutBody';

it('leaves a body of ordinary length alone', () => {
  expect(cutBody('word '.repeat(100))).toBe('word '.repeat(100));
});

it('cuts a long one between words and says that there is more', () => {
  const cut = cutBody('word '.repeat(2000));
  expect(cut.length).toBeLessThan(2000);
  expect(cut).toMatch(/word …$/);
});

it('never cuts an emoji in half', () => {
  expect(cutBody(`a${'🎉'.repeat(5000)}`).isWellFormed()).toBe(true);
});

it('closes a code block that it cuts', () => {
  const cut = cutBody(`\`\`\`\n${'line\n'.repeat(2000)}\`\`\``);
  expect(cut.match(/^```/gm)).toHaveLength(2);
});
