import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import type { PackageDetail } from '@nodebell/contract/package.ts';
import { t, Trans } from '../../i18n/t';
import { dateAndTime } from '../../components/moments';
import { Section } from './Section';

type Entry = PackageDetail['history'][number];

/** "14 Nov 2026, 10:03: updated 0.1.0 → 0.2.0, by admin". */
function entryMessage({ at, action, version, from, by }: Entry): string {
  const what = ACTION_LABELS[action](from ? `${from} → ${version}` : version);
  const values = { time: dateAndTime(at), what, by };
  return by
    ? t('packages.history.entry-by', '{{time}}: {{what}}, by {{by}}', values)
    : t('packages.history.entry', '{{time}}: {{what}}', values);
}

const ACTION_LABELS: Record<Entry['action'], (version: string) => string> = {
  registered: (version) => t('packages.history.registered', 'registered {{version}}', { version }),
  updated: (version) => t('packages.history.updated', 'updated {{version}}', { version }),
  removed: (version) => t('packages.history.removed', 'removed {{version}}', { version }),
};

function registeredMessage({ registeredBy, registeredAt }: PackageDetail): string {
  const values = { time: dateAndTime(registeredAt), name: registeredBy };
  return registeredBy
    ? t('packages.history.by', 'By {{name}} on {{time}}', values)
    : t('packages.history.on', 'On {{time}}', values);
}

function approvalMessage({ version, by, at }: NonNullable<PackageDetail['approval']>): string {
  const values = { version, by, time: dateAndTime(at) };
  return by
    ? t('packages.history.approved-by', 'Disclaimer of {{version}} accepted by {{by}} on {{time}}', values)
    : t('packages.history.approved', 'Disclaimer of {{version}} accepted on {{time}}', values);
}

/** Registration history and accepted disclaimers. */
export function Registered({ detail }: { detail: PackageDetail }) {
  const styles = useStyles2(getStyles);
  const { origin, approval, history } = detail;
  return (
    <Section title={t('packages.history.title', 'Registration')}>
      <div className={styles.texts}>
        <p>
          {origin.kind === 'file' ? (
            <Trans
              i18nKey="packages.history.from-file"
              values={{
                registered: registeredMessage(detail),
                file: origin.file ?? t('packages.history.some-file', 'a file'),
              }}
            >
              {'{{registered}}'}, provisioned from <code>{'{{file}}'}</code>. Edit the file to change it.
            </Trans>
          ) : (
            registeredMessage(detail)
          )}
        </p>
        {approval && <p title={approval.text}>{approvalMessage(approval)}</p>}
        {history.length > 1 && (
          <details>
            <summary>{t('packages.history.list', 'History')}</summary>
            <ul className={styles.history}>
              {history.map((entry, index) => (
                <li key={index}>{entryMessage(entry)}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </Section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  texts: css({
    color: theme.colors.text.secondary,
    overflowWrap: 'anywhere',
    p: { marginBottom: theme.spacing(1) },
    summary: { cursor: 'pointer' },
  }),
  history: css({ listStyle: 'none', marginTop: theme.spacing(0.5), fontSize: theme.typography.bodySmall.fontSize }),
});
