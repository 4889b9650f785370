import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { checkImage, IMAGE_TYPES } from './image.ts';
import { gif, jpeg, png, PNG_SIGNATURE, webp } from './images.testing.ts';

const side = LIMITS.iconSide.value;

describe('an image of up to 1024x1024 pixels is one', () => {
  test.each([
    ['PNG', png(8), 'image/png', 8, 8],
    ['PNG at the limit', png(4, [0, 0, 0], { width: side, height: side }), 'image/png', side, side],
    ['JPEG, progressive', jpeg(64, 48), 'image/jpeg', 64, 48],
    ['JPEG, baseline', jpeg(side, 1, 0xc0), 'image/jpeg', side, 1],
    ['animated GIF', gif({ width: 20, height: 10 }, Array(30).fill({ width: 20, height: 10 })), 'image/gif', 20, 10],
    ['WebP, lossy', webp('VP8 ', 64, 48), 'image/webp', 64, 48],
    ['WebP, lossless', webp('VP8L', 64, 48), 'image/webp', 64, 48],
    ['WebP, extended', webp('VP8X', 64, 48), 'image/webp', 64, 48],
  ])('%s', (_, bytes, type, width, height) => {
    expect(checkImage(bytes)).toEqual({ ok: true, type, width, height });
  });
});

describe('a larger one is refused by its header', () => {
  test.each([
    ['PNG', png(8, [0, 0, 0], { width: 10_000, height: 10_000 }), '10000x10000'],
    ['PNG, one line', png(8, [0, 0, 0], { width: side + 1, height: 1 }), `${side + 1}x1`],
    ['JPEG', jpeg(65_535, 65_535), '65535x65535'],
    ['GIF', gif({ width: 65_535, height: 1 }, []), '65535x1'],
    [
      'GIF with a frame larger than its screen',
      gif({ width: 1, height: 1 }, [{ width: 9000, height: 9000 }]),
      '9000x9000',
    ],
    [
      'GIF with a later frame beyond its screen',
      gif({ width: 8, height: 8 }, [
        { width: 8, height: 8 },
        { left: 60_000, width: 8, height: 8 },
      ]),
      '60008x8',
    ],
    ['WebP, lossy', webp('VP8 ', 16_383, 16_383), '16383x16383'],
    ['WebP, lossless', webp('VP8L', 16_384, 16_384), '16384x16384'],
    ['WebP, extended', webp('VP8X', 16_777_216, 2), '16777216x2'],
  ])('%s', (_, bytes, size) => {
    expect(checkImage(bytes)).toEqual({
      ok: false,
      why: `it is ${size} pixels, allowed are up to 1024x1024`,
    });
  });
});

describe('anything else is refused', () => {
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  test.each([
    ['nothing', ''],
    ['SVG', SVG],
    ['SVG with a declaration', `<?xml version="1.0"?>${SVG}`],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['HTML before an image', Buffer.concat([Buffer.from('<script>alert(1)</script>'), png()])],
    ['an image after one byte', Buffer.concat([Buffer.from(' '), png()])],
    ['BMP', Buffer.from('BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0', 'latin1')],
    ['ICO with a PNG of any size in it', Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0]), Buffer.alloc(16), png(8)])],
    ['TIFF', Buffer.from('II*\0\x08\0\0\0', 'latin1')],
    ['AVIF', Buffer.from('\0\0\0\x20ftypavif\0\0\0\0', 'latin1')],
    ['PDF', '%PDF-1.7'],
    ['RIFF that is no WebP', Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1')],
  ])('%s', (_, bytes) => {
    expect(checkImage(Buffer.from(bytes as Buffer))).toEqual({
      ok: false,
      why: 'it is not a PNG, JPEG, GIF or WebP image',
    });
  });

  test.each([
    ['PNG without a header', Buffer.concat([PNG_SIGNATURE, png().subarray(33)])],
    ['PNG of width 0', png(8, [0, 0, 0], { width: 0, height: 8 })],
    ['JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2, 1, 2, 3, 4])],
    ['JPEG of height 0', jpeg(8, 0)],
    ['GIF of width 0', gif({ width: 0, height: 8 }, [])],
    ['WebP of an unknown kind', Buffer.from('RIFF\x20\0\0\0WEBPALPH'.padEnd(40, '\0'), 'latin1')],
  ])('%s', (_, bytes) => {
    expect(checkImage(bytes)).toMatchObject({ ok: false, why: expect.stringMatching(/header has no size$/) });
  });

  test.each([
    ['PNG', png().subarray(0, 20)],
    ['JPEG', jpeg(8, 8).subarray(0, 27)],
    ['GIF', gif({ width: 8, height: 8 }, []).subarray(0, 9)],
    ['WebP', webp('VP8 ', 8, 8).subarray(0, 29)],
  ])('a truncated %s', (_, bytes) => {
    expect(checkImage(bytes)).toMatchObject({ ok: false, why: expect.stringMatching(/header is truncated$/) });
  });
});

test('a polyglot is nothing but the image that it begins as', () => {
  const html = Buffer.concat([gif({ width: 4, height: 4 }, []), Buffer.from('<html><script>alert(1)</script>')]);
  expect(checkImage(html)).toMatchObject({ ok: true, type: 'image/gif' });
  const script = Buffer.from('GIF89a=1;alert(1);//');
  expect(checkImage(script)).toMatchObject({ ok: false });
});

test('whatever follows a signature: a verdict, never more than the limit', () => {
  const starts = [png(), jpeg(8, 8), gif({ width: 8, height: 8 }, [{ width: 8, height: 8 }]), webp('VP8L', 8, 8)];
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.nat(60), fc.uint8Array({ maxLength: 80 }), (start, keep, rest) => {
      const check = checkImage(Buffer.concat([start.subarray(0, keep), rest]));
      if (check.ok) {
        expect(IMAGE_TYPES).toContain(check.type);
        expect(Math.max(check.width, check.height)).toBeLessThanOrEqual(side);
        expect(Math.min(check.width, check.height)).toBeGreaterThan(0);
      } else {
        expect(check.why).not.toBe('');
      }
    }),
    { numRuns: 2000 }
  );
});
