import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import type { Endpoint, EndpointPatch } from '@nodebell/contract/endpoint.ts';
import { Threshold } from './Threshold';

interface Props {
  /** Set for registered packages, whose history of values is available. */
  dnpName?: string | undefined;
  endpoint: Endpoint;
  /** Undefined if the user lacks permission. */
  save: ((patch: EndpointPatch) => Promise<unknown>) | undefined;
  /** Shown, but read-only. */
  disabled: boolean;
}

/** When an endpoint alerts: the slider, or the condition and why it has no slider. */
export function When({ dnpName, endpoint, save, disabled }: Props) {
  const styles = useStyles2(getStyles);
  const { threshold, metric, condition, readOnly } = endpoint;
  if (threshold && metric) {
    return (
      <Threshold
        dnpName={dnpName}
        endpoint={endpoint}
        threshold={threshold}
        metric={metric}
        disabled={disabled || threshold.origin === 'provisioned'}
        save={save && ((next) => save({ threshold: next }))}
      />
    );
  }
  return (
    <>
      {condition && <code className={styles.code}>{condition.effective}</code>}
      {readOnly && <p className={styles.quiet}>{readOnly}</p>}
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  code: css({ alignSelf: 'flex-start', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }),
  quiet: css({ margin: 0, fontSize: theme.typography.bodySmall.fontSize, color: theme.colors.text.secondary }),
});
