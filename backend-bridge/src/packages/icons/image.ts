/**
 * Validates images before browsers decode them. The type comes from the bytes alone, and every size for which a decoder allocates memory
 * is checked. Pure.
 */
import { LIMITS } from '../../../contract/limits.ts';

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

interface Size {
  width: number;
  height: number;
}

export type ImageCheck = ({ ok: true; type: ImageType } & Size) | { ok: false; why: string };

const NO_IMAGE = 'it is not a PNG, JPEG, GIF or WebP image';
const MAX = LIMITS.iconSide.value;

/** Reads the sizes in an image: of the image, and of each frame that may exceed it. Throws RangeError if bytes are missing. */
type ReadSizes = (bytes: Buffer) => Size[] | undefined;

const FORMATS: readonly { type: ImageType; read: ReadSizes }[] = [
  { type: 'image/png', read: pngSizes },
  { type: 'image/jpeg', read: jpegSizes },
  { type: 'image/gif', read: gifSizes },
  { type: 'image/webp', read: webpSizes },
];

export function checkImage(bytes: Buffer): ImageCheck {
  for (const { type, read } of FORMATS) {
    const sizes = orTruncated(() => read(bytes));
    if (sizes === 'truncated') {
      return { ok: false, why: `its ${type} header is truncated` };
    }
    if (sizes !== undefined) {
      return checkSizes(type, sizes);
    }
  }
  return { ok: false, why: NO_IMAGE };
}

function checkSizes(type: ImageType, sizes: Size[]): ImageCheck {
  const [whole] = sizes;
  if (whole === undefined || sizes.some(({ width, height }) => width === 0 || height === 0)) {
    return { ok: false, why: `its ${type} header has no size` };
  }
  const large = sizes.find(({ width, height }) => width > MAX || height > MAX);
  return large === undefined
    ? { ok: true, type, ...whole }
    : { ok: false, why: `it is ${large.width}x${large.height} pixels, allowed are up to ${MAX}x${MAX}` };
}

function orTruncated<T>(read: () => T): T | 'truncated' {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) {
      return 'truncated';
    }
    throw error;
  }
}

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;

/** PNG specification, 5.2 and 11.2.1: frames of an animation lie within the image. */
function pngSizes(bytes: Buffer): Size[] | undefined {
  if (!startsWith(bytes, '\x89PNG\r\n\x1a\n')) {
    return undefined;
  }
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  return startsWith(bytes, '\0\0\0\x0dIHDR', 8) ? [size] : [];
}

/** ITU-T T.81, B.2: the frame header is the first segment whose marker is one of these. */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const START_OF_SCAN = 0xda;

function jpegSizes(bytes: Buffer): Size[] | undefined {
  if (!startsWith(bytes, '\xff\xd8\xff')) {
    return undefined;
  }
  for (let at = 2; bytes.readUInt8(at) === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    // Any number of 0xff may precede a marker.
    while (bytes.readUInt8(at + 1) === 0xff) {
      at += 1;
    }
    const marker = bytes.readUInt8(at + 1);
    if (isFrameHeader(marker)) {
      return [{ width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }];
    }
    if (marker === START_OF_SCAN) {
      break;
    }
  }
  return [];
}

const IMAGE_DESCRIPTOR = 0x2c;
const EXTENSION = 0x21;
/** Bytes of the colour table that a packed field announces. */
const colourTable = (packed: number): number => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0);

/** GIF89a, appendix A. A frame may exceed the logical screen, and browsers enlarge the image to it: all frames are read. */
function gifSizes(bytes: Buffer): Size[] | undefined {
  if (!startsWith(bytes, 'GIF87a') && !startsWith(bytes, 'GIF89a')) {
    return undefined;
  }
  const sizes = [{ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }];
  let at = 13 + colourTable(bytes.readUInt8(10));
  // Bytes after the last complete block are not decoded.
  while (at + 10 <= bytes.length) {
    const kind = bytes[at];
    if (kind === IMAGE_DESCRIPTOR) {
      const [left, top] = [bytes.readUInt16LE(at + 1), bytes.readUInt16LE(at + 3)];
      sizes.push({ width: left + bytes.readUInt16LE(at + 5), height: top + bytes.readUInt16LE(at + 7) });
      at = afterSubBlocks(bytes, at + 11 + colourTable(bytes.readUInt8(at + 9)));
    } else if (kind === EXTENSION) {
      at = afterSubBlocks(bytes, at + 2);
    } else {
      break;
    }
  }
  return sizes;
}

function afterSubBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let size = bytes[at] ?? 0; size > 0; size = bytes[at] ?? 0) {
    at += size + 1;
  }
  return at + 1;
}

/** RFC 9649 (WebP) and RFC 6386, 9.1 (VP8): a decoder rejects frames that do not fit the image. */
function webpSizes(bytes: Buffer): Size[] | undefined {
  if (!startsWith(bytes, 'RIFF') || !startsWith(bytes, 'WEBP', 8)) {
    return undefined;
  }
  const chunk = bytes.toString('latin1', 12, 16);
  if (chunk === 'VP8X') {
    return [{ width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }];
  }
  if (chunk === 'VP8L' && bytes.readUInt8(20) === 0x2f) {
    const bits = bytes.readUInt32LE(21);
    return [{ width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }];
  }
  if (chunk === 'VP8 ' && startsWith(bytes, '\x9d\x01\x2a', 23)) {
    return [{ width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }];
  }
  return [];
}
