/** Requests whose length a proxy and the bridge may read differently (RFC 9112, 6.3 and 11.2). */

/** Proxies reject this header, so what is stored by a request with it was hidden from them. */
export const INNER_HEADER = 'X-Inner';
export const SMUGGLED = 'SMUGGLED';

const PATH = '/api/v1/notifications';
const JSON_TYPE = 'Content-Type: application/json';

const innerBody = JSON.stringify({ title: SMUGGLED, body: '' });
const INNER = `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\n${INNER_HEADER}: 1\r\n${JSON_TYPE}\r\nContent-Length: ${innerBody.length}\r\n\r\n${innerBody}`;
/** Begins a request that takes the next one as its body. */
const OPEN = `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\n${INNER_HEADER}: 1\r\n${JSON_TYPE}\r\nContent-Length: 300\r\n\r\n{"title":"${SMUGGLED}","body":"`;

const request = (headers: string[], body: string, line = `POST ${PATH} HTTP/1.1`): string =>
  [line, 'Host: localhost', JSON_TYPE, ...headers, '', body].join('\r\n');
const sized = (body: string, ...headers: string[]): string =>
  request([`Content-Length: ${body.length}`, ...headers], body);
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const chunked = (body: string, ...headers: string[]): string =>
  request(['Transfer-Encoding: chunked', ...headers], body);

const END = '0\r\n\r\n';
const HIDDEN = `${END}${INNER}`;

/** `Transfer-Encoding` as some servers see it and others do not, in a request that also has a length. */
const CODINGS = [
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding:\tchunked',
  'Transfer-Encoding:\u000bchunked',
  'Transfer-Encoding: chunked\u000b',
  'Transfer-Encoding: \u0000chunked',
  ' Transfer-Encoding: chunked',
  'X: y\nTransfer-Encoding: chunked',
  'X: y\rTransfer-Encoding: chunked',
  'Transfer-Encoding:\r\n chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity, chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: x',
  'Transfer-Encoding: x\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunKed',
  'Transfer-Encoding: "chunked"',
  'Transfer-Encoding: chunked;q=1',
  'Transfer_Encoding: chunked',
  'Connection: Content-Length\r\nTransfer-Encoding: chunked',
];

/** Content-Length headers for a request whose body is the hidden one. */
const LENGTHS = (length: number): string[] => [
  `Content-Length: 0\r\nContent-Length: ${length}`,
  `Content-Length: ${length}\r\nContent-Length: 0`,
  `Content-Length: 0, ${length}`,
  `Content-Length: ${length}, 0`,
  `Content-Length: +${length}`,
  'Content-Length: -1',
  `Content-Length: 0x${length.toString(16)}`,
  `Content-Length: 00${length}`,
  `Content-Length : ${length}`,
  `Content-Length:\r\n ${length}`,
  `Content-Length: 0\nContent-Length: ${length}`,
  `Content-Length: ${length} 0`,
  `Content-Length: ${length}.0`,
  `Content-Length: ${(1n << 64n) + BigInt(length)}`,
  `Connection: Content-Length\r\nContent-Length: ${length}`,
];

const CHUNKS: Record<string, string> = {
  'a chunk size with 0x': `0x0\r\n\r\n${INNER}`,
  'a chunk size with +': `+0\r\n\r\n${INNER}`,
  'a negative chunk size': `-1\r\n${INNER}`,
  'a chunk size that overflows 64 bits': `10000000000000000\r\n\r\n${INNER}`,
  'a chunk size that overflows 32 bits': `100000000\r\n\r\n${INNER}`,
  'a chunk size with a space before it': ` 0\r\n\r\n${INNER}`,
  'a chunk extension that ends with LF': `2;\nxx\r\n${INNER.length.toString(16)}\r\n0\r\n\r\n${INNER}`,
  'a chunk extension with CR': `0;a\rb\r\n\r\n${INNER}`,
  'a long chunk extension': `0;${'a'.repeat(20_000)}\r\n\r\n`,
  'chunks that end with LF': `0\n\n${INNER}`,
  'a chunk that is longer than its size': `2\r\n{}XX0\r\n\r\n${INNER}`,
  'a trailer that gives a length': `${chunk('{}')}0\r\nContent-Length: ${INNER.length}\r\n\r\n`,
  'a trailer that gives a coding': `${chunk('{}')}0\r\nTransfer-Encoding: chunked\r\n\r\n`,
};

const line = (text: string, headers: string[] = [`Content-Length: ${INNER.length}`]): string =>
  request(headers, INNER, text);

export const VARIANTS: Record<string, string> = {
  'CL.TE': sized(HIDDEN, 'Transfer-Encoding: chunked'),
  'CL.TE, open': sized(`${END}${OPEN}`, 'Transfer-Encoding: chunked'),
  'TE.CL': request(['Content-Length: 4', 'Transfer-Encoding: chunked'], `${chunk(INNER)}${END}`),
  ...Object.fromEntries(CODINGS.map((coding) => [JSON.stringify(coding), sized(HIDDEN, coding)])),
  ...Object.fromEntries(LENGTHS(INNER.length).map((length) => [JSON.stringify(length), request([length], INNER)])),
  ...Object.fromEntries(Object.entries(CHUNKS).map(([name, body]) => [name, chunked(body)])),
  'LF as line ends': sized(INNER).replaceAll('\r\n', '\n'),
  'a header without a colon': sized(INNER, 'Broken'),
  'a header name with NUL': sized(INNER, 'A\u0000: b'),
  'a folded header': sized(INNER, 'X: y', ' z'),
  'Expect: 100-continue': sized(INNER, 'Expect: 100-continue'),
  'Expect: 100-continue, twice': sized(INNER, 'Expect: 100-continue', 'Expect: 100-continue'),
  'an obfuscated Expect': sized(INNER, 'Expect: y 100-continue'),
  'Expect: 100-continue on a path that is not there': line('POST /nope HTTP/1.1', [
    'Expect: 100-continue',
    `Content-Length: ${INNER.length}`,
  ]),
  'a response before the body is read': line('POST /nope HTTP/1.1'),
  'GET with a body': line('GET /readyz HTTP/1.1'),
  'HEAD with a body': line('HEAD /readyz HTTP/1.1'),
  'OPTIONS with a body': line(`OPTIONS ${PATH} HTTP/1.1`),
  'GET with chunks': request(['Transfer-Encoding: chunked'], `${chunk(INNER)}${END}`, 'GET /readyz HTTP/1.1'),
  'HTTP/1.0 with keep-alive': line(`POST ${PATH} HTTP/1.0`, [
    'Connection: keep-alive',
    `Content-Length: ${INNER.length}`,
  ]),
  'HTTP/1.0 with chunks': request(
    ['Connection: keep-alive', 'Transfer-Encoding: chunked', `Content-Length: ${HIDDEN.length}`],
    HIDDEN,
    `POST ${PATH} HTTP/1.0`
  ),
  'HTTP/1.2': line(`POST ${PATH} HTTP/1.2`),
  'HTTP/0.9': `GET /readyz\r\n${INNER.slice(0, 20)}`,
  'the absolute form': line(`POST http://b${PATH} HTTP/1.1`),
  'the absolute form of https': line(`POST https://b:1${PATH} HTTP/1.1`),
  CONNECT: line('CONNECT b:80 HTTP/1.1'),
  'an upgrade to h2c': sized(
    INNER,
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQAAP__'
  ),
  'an upgrade to a WebSocket': sized(
    INNER,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
  ),
  'the preface of HTTP/2': `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
};
