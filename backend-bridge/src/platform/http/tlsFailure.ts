/** Why a TLS connection failed, as a sentence for the admin instead of OpenSSL's codes. */
import { singleLine } from '../../../contract/text.ts';

/** An error of Node's `tls`, or one that was caused by it. */
export interface TlsError {
  /** Error code of Node. */
  code?: unknown;
  message: string;
  /** Certificate of the server, if it is not valid for its name. */
  cert?: { subjectaltname?: string };
}

const PRIVATE_AUTHORITY =
  "If its authority is a private one, start the bridge with NODE_EXTRA_CA_CERTS, the file of the authority's certificate.";

/**
 * @param server as in "the mail server smtp.example.org"
 * @param where the name of the server is configured, as in "as host"
 * @returns one or two sentences; undefined: it is not about TLS
 */
export function tlsFailure(error: TlsError, server: string, where: string): string | undefined {
  const code = typeof error.code === 'string' ? error.code : '';
  const certificate = `The certificate of ${server}`;
  if (code === 'CERT_HAS_EXPIRED') {
    return `${certificate} has expired.`;
  }
  if (code === 'CERT_NOT_YET_VALID') {
    return `${certificate} is not valid yet.`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const names = error.cert?.subjectaltname?.replaceAll(/(DNS|IP Address):/g, '') ?? 'nothing';
    return `${certificate} is valid for ${singleLine(names)} only: configure such a name ${where}.`;
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return `No TLS connection to ${server}: ${protocolFailure(error.message)}.`;
  }
  return /CERT|^UNABLE_TO_/.test(code)
    ? `${certificate} is not trusted: ${singleLine(error.message.split(';')[0]!)}. ${PRIVATE_AUTHORITY}`
    : undefined;
}

/** @param message `…:SSL routines:…:wrong version number:…` */
function protocolFailure(message: string): string {
  const reason = /:SSL routines:[^:]*:([^:]+)/.exec(message)?.[1] ?? message;
  if (/wrong version number|packet length too long/.test(reason)) {
    return 'it does not respond with TLS on this port';
  }
  if (/protocol version|unsupported protocol/.test(reason)) {
    return 'it has no version of TLS in common with the bridge (1.2 or 1.3)';
  }
  return /alert certificate required/.test(reason)
    ? 'it requires a client certificate, which the bridge does not have'
    : singleLine(reason);
}
