/** What is wrong between Grafana and the bridge, in words, and how far the connection came. Pure. */
import { isIpAddress } from './address';
import { judgeClocks, type ClockVerdict } from './clocks';
import type { ConnectCause } from './connectFailure';
import type { Evidence, Reply } from './evidence';

/** In the order in which a connection meets them. */
export const CHECKS = ['Name resolves', 'Port is open', 'Token accepted', 'Versions match', 'Clocks agree'] as const;

export type CheckState = 'ok' | 'failed' | 'warned' | 'unknown' | 'not-reached';

export interface Check {
  label: (typeof CHECKS)[number];
  state: CheckState;
  detail: string;
}

export interface Diagnosis {
  severity: 'success' | 'warning' | 'error';
  /** The cause. */
  title: string;
  /** What to do. Parts between backticks are code. */
  text: string;
  checks: Check[];
}

export function diagnose(evidence: Evidence): Diagnosis {
  const { reply } = evidence;
  switch (reply.kind) {
    case 'status':
      return connected(evidence, reply);
    case 'no-connection':
      return unconnected(evidence, reply.failure?.cause, reply.failure?.ip);
    case 'silence':
      return unconnected(evidence, 'timeout', undefined, `no answer within ${Math.round(reply.afterMs / 1000)} s`);
    case 'problem':
      return refused(evidence, reply);
    case 'grafana':
      return byGrafana(evidence, reply);
    case 'foreign':
      return foreign(evidence, reply.version);
  }
}

/** Checks up to the one that decides, which is told by its state and detail; those after it were not reached. */
function checksUpTo({ host }: Evidence, deciding: number, state: CheckState, detail: string, ip?: string): Check[] {
  const passed = [resolved(host, ip), 'something listens', 'yes', 'yes'];
  return CHECKS.map((label, index) => {
    if (index < deciding) {
      return { label, state: 'ok', detail: passed[index] ?? '' };
    }
    return index === deciding ? { label, state, detail } : { label, state: 'not-reached', detail: 'not reached' };
  });
}

function resolved(host: string, ip: string | undefined): string {
  if (isIpAddress(host)) {
    return `${host} is an address`;
  }
  return ip === undefined ? 'yes' : `${host} is ${ip}`;
}

const LISTENS = 'it listens on 127.0.0.1 only: set `NODEBELL_HOST=0.0.0.0` where Grafana runs on another machine';

const CONNECT_WORDS: Record<
  Exclude<ConnectCause, 'answered'>,
  { at: 0 | 1; detail: string; title: string; text: string }
> = {
  name: {
    at: 0,
    detail: 'no such name',
    title: 'The name {host} does not resolve',
    text: 'The machine that runs Grafana knows no address for this name. In containers, both must be in one network, and the name is that of the service; elsewhere, enter the IP address instead.',
  },
  refused: {
    at: 1,
    detail: 'refused',
    title: 'Connection refused by {host}:{port}',
    text: `The machine answers, but nothing listens on port {port}. Either the bridge is stopped, or ${LISTENS}.`,
  },
  timeout: {
    at: 1,
    detail: 'no answer in time',
    title: '{host}:{port} does not answer in time',
    text: 'The machine is switched off, a firewall drops what is sent to port {port}, or the address is that of another machine.',
  },
  route: {
    at: 1,
    detail: 'no way there',
    title: 'There is no way to {host}',
    text: 'The network of the machine that runs Grafana does not reach this address. Check the address, and in containers whether both are in one network.',
  },
  tls: {
    at: 1,
    detail: 'open, but not with this certificate',
    title: 'No secure connection to {host}:{port}',
    text: 'The bridge itself speaks HTTP: enter `http://`, or `https://` for a reverse proxy in front of it whose certificate Grafana’s server trusts.',
  },
  cut: {
    at: 1,
    detail: 'open, and cut off',
    title: 'The connection to {host}:{port} was cut off',
    text: 'Something accepts the connection and ends it before it answers. Look into the log of the bridge, and of a proxy in front of it.',
  },
};

function unconnected(evidence: Evidence, cause: ConnectCause | undefined, ip?: string, detail?: string): Diagnosis {
  if (cause === 'answered') {
    return {
      severity: 'warning',
      title: 'The bridge did not answer, and does now',
      text: 'It was probably just started. Test again.',
      checks: checksUpTo(evidence, 2, 'unknown', 'not known'),
    };
  }
  if (cause === undefined) {
    return unconnectedSomehow(evidence);
  }
  const words = CONNECT_WORDS[cause];
  return {
    severity: 'error',
    title: fill(words.title, evidence),
    text: fill(words.text, evidence),
    checks: checksUpTo(evidence, words.at, 'failed', detail ?? words.detail, ip),
  };
}

/** Grafana's proxy answers 502 whatever the reason, and its alerting could not be asked. */
function unconnectedSomehow(evidence: Evidence): Diagnosis {
  const named = !isIpAddress(evidence.host);
  const checks = checksUpTo(
    evidence,
    named ? 0 : 1,
    named ? 'unknown' : 'failed',
    named ? 'not known' : 'no connection'
  );
  return {
    severity: 'error',
    title: fill('Grafana gets no connection to {host}:{port}', evidence),
    text: `${named ? 'Either the name does not resolve on the machine that runs Grafana, or the' : 'The'} bridge is stopped, or ${LISTENS}. Grafana does not tell which; its log does.`,
    checks,
  };
}

const fill = (text: string, { host, port }: Evidence): string =>
  text.replaceAll('{host}', host.includes(':') ? `[${host}]` : host).replaceAll('{port}', String(port));

function refused(evidence: Evidence, { status, detail }: Extract<Reply, { kind: 'problem' }>): Diagnosis {
  if (status === 404) {
    return otherVersion(evidence, undefined);
  }
  if (status === 403 && detail.includes('NODEBELL_ALLOWED_HOSTS')) {
    return {
      severity: 'error',
      title: fill('The bridge does not go by the name {host}', evidence),
      text: fill('Add {host} to `NODEBELL_ALLOWED_HOSTS` of the bridge and start it again.', evidence),
      checks: checksUpTo(evidence, 2, 'unknown', 'not asked for'),
    };
  }
  if (status === 403) {
    return {
      severity: 'error',
      title: evidence.tokenSet ? 'The bridge refuses the token' : 'The bridge asks for a token, and none is set',
      text: 'Copy the admin token from the file `admin-token` in the bridge’s data folder, or from what it was given as `NODEBELL_ADMIN_TOKEN`, and save it here.',
      checks: checksUpTo(evidence, 2, 'failed', evidence.tokenSet ? 'refused' : 'none is set'),
    };
  }
  return {
    severity: 'error',
    title: `The bridge answers ${status}`,
    text: `It says: ${detail}`,
    checks: checksUpTo(evidence, 2, 'unknown', 'not known'),
  };
}

function byGrafana(evidence: Evidence, { status, message }: Extract<Reply, { kind: 'grafana' }>): Diagnosis {
  const checks = checksUpTo(evidence, 0, 'not-reached', 'not reached');
  if (status === 404 && /plugin not found/i.test(message)) {
    return {
      severity: 'error',
      title: 'The app is not enabled in this organisation',
      text: 'Enable it at the top of this page. Until then Grafana passes nothing on to the bridge.',
      checks,
    };
  }
  if (status === 404 && /route/i.test(message)) {
    return {
      severity: 'error',
      title: 'Grafana runs with another version of the plugin’s settings',
      text: 'Its files were replaced while Grafana ran. Restart Grafana.',
      checks,
    };
  }
  return {
    severity: 'error',
    title: status === 0 ? 'Grafana does not answer' : `Grafana answers ${status}`,
    text: status === 0 ? 'The connection to Grafana itself failed. Test again.' : `It says: ${message}`,
    checks,
  };
}

function foreign(evidence: Evidence, version: string | undefined): Diagnosis {
  if (version !== undefined) {
    return otherVersion(evidence, version);
  }
  return {
    severity: 'error',
    title: fill('What answers at {host}:{port} is not the bridge', evidence),
    text: 'Something else listens on this port. The bridge listens on `NODEBELL_PORT`, which is 8080 unless set.',
    checks: checksUpTo(evidence, 2, 'unknown', 'not known'),
  };
}

/** @param version of the bridge; undefined: it is so old that it does not tell */
function otherVersion(evidence: Evidence, version: string | undefined): Diagnosis {
  const bridge = version ?? 'an older one';
  return {
    severity: 'error',
    title:
      version === undefined
        ? 'The bridge is older than the plugin'
        : `The bridge is ${version}, the plugin ${evidence.version}`,
    text: 'Both belong to one release: install the same version of both.',
    checks: checksUpTo(evidence, 3, 'failed', `bridge ${bridge}, plugin ${evidence.version}`),
  };
}

function connected(evidence: Evidence, { status, ...times }: Extract<Reply, { kind: 'status' }>): Diagnosis {
  if (!sameRelease(evidence.version, status.version)) {
    return otherVersion(evidence, status.version);
  }
  const clocks = judgeClocks({
    bridge: Date.parse(status.time),
    browser: (times.sentAt + times.receivedAt) / 2,
    ...(times.grafanaAt !== undefined && { grafana: times.grafanaAt }),
  });
  const checks = checksUpTo(evidence, 4, clocks.agree ? 'ok' : 'warned', clocks.words).map((check) =>
    check.label === 'Versions match' ? { ...check, detail: `both ${status.version}` } : check
  );
  if (!clocks.agree) {
    return {
      severity: 'warning',
      title: 'Connected, but the clocks do not agree',
      text: skewWords(clocks, status.webhookSecret),
      checks,
    };
  }
  if (!status.storeWritable) {
    return {
      severity: 'warning',
      title: 'Connected, but the bridge cannot store anything',
      text: 'Senders are answered 503 until it can. Its disk is full, or its data folder may not be written; its log says which.',
      checks,
    };
  }
  return { severity: 'success', title: 'Connected', text: 'Everything that the pages need works.', checks };
}

function skewWords({ words, signaturesFail }: ClockVerdict, signed: boolean): string {
  const what = `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  const effect =
    signaturesFail && signed
      ? 'The bridge refuses signed alerts of Grafana for that.'
      : 'Times and durations on the pages are wrong by as much.';
  return `${what} ${effect} Let the clock be set by the network (NTP).`;
}

/** Before 1.0 each minor release may change the contract; a patch never does. */
function sameRelease(a: string, b: string): boolean {
  const release = (version: string) => /^(0\.\d+|\d+)/.exec(version)?.[1];
  return release(a) === release(b);
}
