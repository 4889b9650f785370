/** Turns the result of a connection test into a diagnosis. Pure. */
import { t } from '../i18n/t';
import { isOfToken } from '../api/errors';
import { isIpAddress } from './address';
import { type Check, type CheckState, checksUpTo, skippedLabel, unknownLabel } from './checks';
import { compareClocks, type ClockComparison } from './clocks';
import { type ConnectCause, connectMessage, unknownCauseMessage } from './connectFailure';
import type { Evidence, Reply } from './evidence';
import { storeMessages } from './storeMessages';

export interface Diagnosis {
  severity: 'success' | 'warning' | 'error';
  /** The cause. */
  title: string;
  /** Remedy. Text between backticks is code. */
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
    case 'timeout':
      return unconnected(evidence, 'timeout', undefined, timeoutMessage(reply.afterMs));
    case 'problem':
      return refused(evidence, reply);
    case 'grafana':
      return grafanaError(evidence, reply);
    case 'foreign':
      return foreign(evidence, reply.version);
  }
}

const timeoutMessage = (ms: number): string =>
  t('config.check.no-response', 'no response within {{seconds, number}} s', { seconds: Math.round(ms / 1000) });

type Texts = Pick<Diagnosis, 'title' | 'text'>;
type Deciding = [check: number, state: CheckState, detail: string, ip?: string];

const failed = (evidence: Evidence, texts: Texts, deciding: Deciding): Diagnosis => ({
  severity: 'error',
  ...texts,
  checks: checksUpTo(evidence, ...deciding),
});

/** The connection works; the token was not checked. */
const unknownToken = (): Deciding => [2, 'unknown', unknownLabel()];

function unconnected(evidence: Evidence, cause: ConnectCause | undefined, ip?: string, detail?: string): Diagnosis {
  const place = placeOf(evidence);
  if (cause === 'recovered') {
    const recovered = {
      title: t('config.connect.recovered-title', 'The bridge was unreachable but is responding now'),
      text: t('config.connect.recovered-text', 'It may have just started. Test the connection again.'),
    };
    return { ...failed(evidence, recovered, unknownToken()), severity: 'warning' };
  }
  if (cause !== undefined) {
    const { at, detail: usual, ...texts } = connectMessage(cause, place);
    return failed(evidence, texts, [at, 'failed', detail ?? usual, ip]);
  }
  // Grafana's proxy returns 502 for any cause, and its alerting API was not available.
  const named = !isIpAddress(evidence.host);
  const title = t('config.connect.unknown-title', 'Grafana could not connect to {{host}}:{{port}}', place);
  return failed(
    evidence,
    { title, text: unknownCauseMessage(named) },
    named ? [0, 'unknown', unknownLabel()] : [1, 'failed', t('config.check.no-connection', 'no connection')]
  );
}

/** Host and port as in a URL. The port is a string, to keep it from being formatted with digit grouping. */
const placeOf = ({ host, port }: Evidence): { host: string; port: string } => ({
  host: host.includes(':') ? `[${host}]` : host,
  port: String(port),
});

function refused(evidence: Evidence, { status, detail }: Extract<Reply, { kind: 'problem' }>): Diagnosis {
  if (status === 404) {
    return otherVersion(evidence, undefined);
  }
  if (status === 403 && detail.includes('NODEBELL_ALLOWED_HOSTS')) {
    const place = placeOf(evidence);
    const texts = {
      title: t('config.refused.name-title', 'The bridge does not allow the host name {{host}}', place),
      text: t('config.refused.name-text', 'Add {{host}} to `NODEBELL_ALLOWED_HOSTS` and restart the bridge.', place),
    };
    return failed(evidence, texts, [2, 'unknown', t('config.check.not-checked', 'not checked')]);
  }
  if (status === 403 && isOfToken(detail)) {
    return tokenRefused(evidence);
  }
  const texts = {
    title: t('config.refused.title', 'The bridge returned status {{status}}', { status }),
    text: t('config.refused.message', 'Error: {{message}}', { message: detail }),
  };
  return failed(evidence, texts, unknownToken());
}

function tokenRefused(evidence: Evidence): Diagnosis {
  const [detail, title] = evidence.tokenSet
    ? [
        t('config.check.rejected', 'rejected'),
        t('config.refused.token-title', 'Authentication failed: the bridge rejected the token'),
      ]
    : [
        t('config.check.not-configured', 'not configured'),
        t('config.refused.no-token-title', 'Authentication failed: no token configured'),
      ];
  const text = t(
    'config.refused.token-text',
    'Copy the admin token from the file `admin-token` in the bridge’s data directory, or from its `NODEBELL_ADMIN_TOKEN` setting, and save it here.'
  );
  return failed(evidence, { title, text }, [2, 'failed', detail]);
}

/** Errors of Grafana itself, the first that matches. */
const GRAFANA_ERRORS: Array<[status: number, message: RegExp, texts: () => Texts]> = [
  [
    404,
    /plugin not found/i,
    () => ({
      title: t('config.grafana.disabled-title', 'The app is disabled in this organization'),
      text: t(
        'config.grafana.disabled-text',
        'Enable the app at the top of this page. Grafana does not forward requests to the bridge until then.'
      ),
    }),
  ],
  [
    404,
    /route/i,
    () => ({
      title: t('config.grafana.replaced-title', 'Grafana is still using the previous plugin version'),
      text: t('config.grafana.replaced-text', 'The plugin was updated while Grafana was running. Restart Grafana.'),
    }),
  ],
  [
    0,
    /(?:)/,
    () => ({
      title: t('config.grafana.unreachable-title', 'Grafana is not responding'),
      text: t(
        'config.grafana.unreachable-text',
        'The connection to the Grafana server failed. Test the connection again.'
      ),
    }),
  ],
];

function grafanaError(evidence: Evidence, { status, message }: Extract<Reply, { kind: 'grafana' }>): Diagnosis {
  const known = GRAFANA_ERRORS.find(([of, pattern]) => of === status && pattern.test(message))?.[2];
  const texts = known?.() ?? {
    title: t('config.grafana.status-title', 'Grafana returned status {{status}}', { status }),
    text: t('config.refused.message', 'Error: {{message}}', { message }),
  };
  return failed(evidence, texts, [0, 'not-reached', skippedLabel()]);
}

function foreign(evidence: Evidence, version: string | undefined): Diagnosis {
  if (version !== undefined) {
    return otherVersion(evidence, version);
  }
  const texts = {
    title: t('config.foreign.title', 'The service at {{host}}:{{port}} is not a Nodebell bridge', placeOf(evidence)),
    text: t(
      'config.foreign.text',
      'Another service is listening on this port. The bridge listens on `NODEBELL_PORT` (default: 8080).'
    ),
  };
  return failed(evidence, texts, unknownToken());
}

/** @param version of the bridge; undefined: too old to report one */
function otherVersion(evidence: Evidence, version: string | undefined): Diagnosis {
  const versions = { bridge: version, plugin: evidence.version };
  const [detail, title] =
    version === undefined
      ? [
          t('config.versions.older-detail', 'bridge: older version, plugin {{plugin}}', versions),
          t('config.versions.older-title', 'The bridge is older than the plugin'),
        ]
      : [
          t('config.versions.detail', 'bridge {{bridge}}, plugin {{plugin}}', versions),
          t('config.versions.title', 'Version mismatch: bridge {{bridge}}, plugin {{plugin}}', versions),
        ];
  const text = t('config.versions.text', 'Install the same release of the bridge and the plugin.');
  return failed(evidence, { title, text }, [3, 'failed', detail]);
}

function connected(evidence: Evidence, { status, ...times }: Extract<Reply, { kind: 'status' }>): Diagnosis {
  if (!sameRelease(evidence.version, status.version)) {
    return otherVersion(evidence, status.version);
  }
  const clocks = compareClocks({
    bridge: Date.parse(status.time),
    browser: (times.sentAt + times.receivedAt) / 2,
    ...(times.grafanaAt !== undefined && { grafana: times.grafanaAt }),
  });
  const checks = checksUpTo(evidence, 4, clocks.agree ? 'ok' : 'warned', clocks.message).map((check) =>
    check.name === 'versions'
      ? { ...check, detail: t('config.versions.both', 'both {{version}}', { version: status.version }) }
      : check
  );
  if (!clocks.agree) {
    return {
      severity: 'warning',
      title: t('config.connected.clocks-title', 'Connected, but the clocks are out of sync'),
      text: clockSkewMessage(clocks, status.webhookSecret),
      checks,
    };
  }
  if (!status.storeWritable) {
    const { title, text } = storeMessages(status);
    return { severity: 'warning', title, text, checks };
  }
  return {
    severity: 'success',
    title: t('config.connected.title', 'Connected'),
    text: t('config.connected.text', 'All checks passed.'),
    checks,
  };
}

function clockSkewMessage({ message, signaturesFail }: ClockComparison, signed: boolean): string {
  const what = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return signaturesFail && signed
    ? t(
        'config.connected.clocks-signed',
        '{{what}}. The bridge rejects signed Grafana alerts because of the clock skew. Synchronize the clocks with NTP.',
        { what }
      )
    : t(
        'config.connected.clocks-text',
        '{{what}}. Times and durations shown are off by this amount. Synchronize the clocks with NTP.',
        { what }
      );
}

/** Before 1.0, minor releases can change the contract; patch releases never do. */
function sameRelease(a: string, b: string): boolean {
  const release = (version: string) => /^(0\.\d+|\d+)/.exec(version)?.[1];
  return release(a) === release(b);
}
