import { css } from '@emotion/css';
import { dateTimeFormat, type GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import type { PackageDetail } from '@nodebell/contract/package.ts';
import { Section } from './Section';

const moment = (timestamp: string) => dateTimeFormat(timestamp, { format: 'D MMM YYYY, HH:mm' });

const ACTIONS = { registered: 'registered', updated: 'updated', removed: 'removed' } as const;

/** Who registered what, and approved what, when. */
export function Registered({ detail }: { detail: PackageDetail }) {
  const styles = useStyles2(getStyles);
  const { origin, approval, history } = detail;
  return (
    <Section title="Registered">
      <div className={styles.words}>
        <p>
          {detail.registeredBy ? `By ${detail.registeredBy} on ` : 'On '}
          {moment(detail.registeredAt)}
          {origin.kind === 'file' && (
            <>
              , from <code>{origin.file ?? 'a provisioned file'}</code>. It can be changed only there.
            </>
          )}
        </p>
        {approval && (
          <p title={approval.text}>
            {`Disclaimer of ${approval.version} approved ${approval.by ? `by ${approval.by} ` : ''}on ${moment(approval.at)}`}
          </p>
        )}
        {history.length > 1 && (
          <details>
            <summary>History</summary>
            <ul className={styles.history}>
              {history.map(({ at, action, version, from, by }, index) => (
                <li key={index}>
                  {`${moment(at)}: ${ACTIONS[action]} ${from ? `${from} → ` : ''}${version}${by ? `, by ${by}` : ''}`}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </Section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  words: css({
    color: theme.colors.text.secondary,
    overflowWrap: 'anywhere',
    p: { marginBottom: theme.spacing(1) },
    summary: { cursor: 'pointer' },
  }),
  history: css({ listStyle: 'none', marginTop: theme.spacing(0.5), fontSize: theme.typography.bodySmall.fontSize }),
});
