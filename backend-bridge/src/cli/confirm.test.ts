import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { confirm } from './confirm.ts';

test.each([
  ['y\r', true],
  ['Yes\r', true],
  ['n\r', false],
  ['\r', false],
  ['\x03', false],
  ['\x04', false],
])('the keys %j are the answer %s', async (keys, answer) => {
  const input = new PassThrough();
  const answered = confirm('Replace the store?', input, Object.assign(new PassThrough(), { isTTY: true }));
  input.write(keys);
  expect(await answered).toBe(answer);
});

test('the end of the input is no yes', async () => {
  const input = new PassThrough();
  const answered = confirm('Replace the store?', input, new PassThrough());
  input.end();
  expect(await answered).toBe(false);
});
