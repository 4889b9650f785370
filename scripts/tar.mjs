/** Writes tar archives (POSIX ustar): files only, owned by nobody in particular, of no date, so that equal contents are equal bytes. */

const BLOCK = 512;

/** @param files {name, data, mode?}: slashes in names. @returns the archive as a Buffer */
export function tar(files) {
  const parts = files.flatMap(({ name, data, mode = 0o644 }) => [
    header(name, data.length, mode),
    data,
    Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function header(name, size, mode) {
  const [prefix, short] = split(name);
  const block = Buffer.alloc(BLOCK);
  const octal = (number, digits) => number.toString(8).padStart(digits, '0');
  block.write(short, 0);
  block.write(
    `${octal(mode, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0${octal(size, 11)}\0${octal(0, 11)}\0`,
    100,
    'latin1'
  );
  // The sum is taken over the header with spaces in the place of the sum.
  block.write('        0', 148);
  block.write('ustar\x0000', 257, 'latin1');
  block.write(prefix, 345);
  block.write(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      6
    )}\0 `,
    148,
    'latin1'
  );
  return block;
}

/** A name has 100 bytes, and 155 more for the folders before it. */
function split(name) {
  if (Buffer.byteLength(name) <= 100) {
    return ['', name];
  }
  const at = [...name.matchAll(/\//g)]
    .map(({ index }) => index)
    .find((index) => Buffer.byteLength(name.slice(index + 1)) <= 100);
  const prefix = at === undefined ? undefined : name.slice(0, at);
  if (prefix === undefined || Buffer.byteLength(prefix) > 155) {
    throw new Error(`The name is too long for a tar archive: ${name}`);
  }
  return [prefix, name.slice(at + 1)];
}
