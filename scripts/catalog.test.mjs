import { expect, test } from 'vitest';
import { findingsOf } from './catalog.mjs';

test('findings of the validator are its errors, warnings and recommendations', () => {
  const output = {
    id: 'a',
    version: '1.0.0',
    'plugin-validator': {
      manifest: [
        {
          Severity: 'warning',
          Title: 'unsigned plugin',
          Detail: 'This is an unsigned plugin.',
          Name: 'unsigned-plugin',
        },
      ],
      metadata: [{ Severity: 'ok', Title: 'valid', Detail: '', Name: 'valid-metadata' }],
      packagejson: [{ Severity: 'error', Title: 'The version differs', Detail: '', Name: 'version-mismatch' }],
      archive: null,
    },
  };
  expect(findingsOf(JSON.stringify(output))).toEqual([
    { isError: false, text: 'manifest, warning: unsigned plugin: This is an unsigned plugin.' },
    { isError: true, text: 'packagejson, error: The version differs' },
  ]);
  expect(findingsOf('{"id":"a"}')).toEqual([]);
});
