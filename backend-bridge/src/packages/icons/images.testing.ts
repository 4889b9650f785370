/** Images for tests, made byte by byte. */
import { crc32, deflateSync } from 'node:zlib';

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

export const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** A picture of one colour. @param said the size in its header, where it is not that of the picture */
export function png(
  side = 8,
  rgb: [number, number, number] = [230, 80, 40],
  said = { width: side, height: side }
): Buffer {
  const header = Buffer.from([...Array<number>(8).fill(0), 8, 2, 0, 0, 0]);
  header.writeUInt32BE(said.width, 0);
  header.writeUInt32BE(said.height, 4);
  const line = Buffer.from([0, ...Array.from({ length: side }, () => rgb).flat()]);
  const pixels = deflateSync(Buffer.concat(Array<Buffer>(side).fill(line)));
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

interface Frame {
  left?: number;
  width: number;
  height: number;
}

/** A GIF with these frames, one black pixel long each. */
export function gif(screen: { width: number; height: number }, frames: Frame[]): Buffer {
  const u16 = (value: number): number[] => [value & 0xff, value >> 8];
  const loop = [0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0];
  const shown = frames.flatMap(({ left = 0, width, height }) => [
    ...[0x21, 0xf9, 4, 0, 10, 0, 0, 0],
    ...[0x2c, ...u16(left), 0, 0, ...u16(width), ...u16(height), 0],
    ...[2, 2, 0x44, 0x01, 0],
  ]);
  const head = [...Buffer.from('GIF89a'), ...u16(screen.width), ...u16(screen.height), 0x80, 0, 0];
  return Buffer.from([...head, 0, 0, 0, 255, 255, 255, ...loop, ...shown, 0x3b]);
}

/** The segments of a JPEG up to its frame header. */
export function jpeg(width: number, height: number, marker = 0xc2): Buffer {
  const bytes = [0xff, 0xd8, 0xff, 0xe0, 0, 16, ...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0];
  const size = [height >> 8, height & 0xff, width >> 8, width & 0xff];
  // Two fill bytes before the marker, as the format allows.
  return Buffer.from([...bytes, 0xff, 0xff, 0xff, marker, 0, 11, 8, ...size, 1, 1, 0x11, 0]);
}

/** The beginning of a WebP in each of its three kinds. */
export function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(32, 4);
  bytes.write(`WEBP${kind}`, 8, 'latin1');
  if (kind === 'VP8X') {
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  } else if (kind === 'VP8L') {
    bytes[20] = 0x2f;
    bytes.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 21);
  } else {
    bytes.write('\x9d\x01\x2a', 23, 'latin1');
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  }
  return bytes;
}
