/** Writes ZIP archives (PKWARE's APPNOTE 6.3): deflated files, names in UTF-8, no folders of their own, no ZIP64. */
import { crc32, deflateRawSync } from 'node:zlib';

const VERSION = 20;
const UTF8 = 0x0800;
const DEFLATED = 8;
/** 1980-01-01 00:00, the first moment that the format knows: the same contents give the same bytes. */
const TIME = 0;
const DATE = 0x0021;
/** A Unix file that all may read; above the 16 bits for DOS. */
const MODE = 0o100644 * 0x10000;
const UNIX = 3 << 8;

/** @param files {name, data}: slashes in names, data a Buffer. @returns the archive as a Buffer */
export function zip(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { name, data } of files) {
    const label = Buffer.from(name);
    const packed = deflateRawSync(data, { level: 9 });
    const common = [VERSION, UTF8, DEFLATED, TIME, DATE];
    const sizes = [crc32(data), packed.length, data.length];
    parts.push(record(0x04034b50, common, sizes, [label.length, 0]), label, packed);
    directory.push(
      record(0x02014b50, [UNIX | VERSION, ...common], sizes, [label.length, 0, 0, 0, 0], [MODE, offset]),
      label
    );
    offset += 30 + label.length + packed.length;
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  const end = record(0x06054b50, [0, 0, files.length, files.length], [length, offset], [0]);
  return Buffer.concat([...parts, ...directory, end]);
}

/** A signature, then numbers in turn of 16 and of 32 bits, little end first. */
function record(signature, ...groups) {
  const bytes = groups.flatMap((numbers, index) => numbers.map((number) => integer(number, index % 2 === 0 ? 2 : 4)));
  return Buffer.concat([integer(signature, 4), ...bytes]);
}

function integer(number, size) {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntLE(number, 0, size);
  return bytes;
}
