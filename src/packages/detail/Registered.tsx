import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import type { PackageDetail } from '@nodebell/contract/package.ts';
import { t, Trans } from '../../i18n/t';
import { dateAndTime } from '../../components/moments';
import { Section } from './Section';

type Entry = PackageDetail['history'][number];

/** "14 Nov 2026, 10:03: updated 0.1.0 → 0.2.0, by admin". */
function entryWords({ at, action, version, from, by }: Entry): string {
  const what = actionWords(action, from ? `${from} → ${version}` : version);
  const values = { time: dateAndTime(at), what, by };
  return by
    ? t('packages.history.entry-by', '{{time}}: {{what}}, by {{by}}', values)
    : t('packages.history.entry', '{{time}}: {{what}}', values);
}

function actionWords(action: Entry['action'], version: string): string {
  switch (action) {
    case 'registered':
      return t('packages.history.registered', 'registered {{version}}', { version });
    case 'updated':
      return t('packages.history.updated', 'updated {{version}}', { version });
    case 'removed':
      return t('packages.history.removed', 'removed {{version}}', { version });
  }
}

function registeredWords({ registeredBy, registeredAt }: PackageDetail): string {
  const values = { time: dateAndTime(registeredAt), name: registeredBy };
  return registeredBy
    ? t('packages.history.by', 'By {{name}} on {{time}}', values)
    : t('packages.history.on', 'On {{time}}', values);
}

function approvalWords({ version, by, at }: NonNullable<PackageDetail['approval']>): string {
  const values = { version, by, time: dateAndTime(at) };
  return by
    ? t('packages.history.approved-by', 'Disclaimer of {{version}} accepted by {{by}} on {{time}}', values)
    : t('packages.history.approved', 'Disclaimer of {{version}} accepted on {{time}}', values);
}

/** Who registered what, and approved what, when. */
export function Registered({ detail }: { detail: PackageDetail }) {
  const styles = useStyles2(getStyles);
  const { origin, approval, history } = detail;
  return (
    <Section title={t('packages.history.title', 'Registration')}>
      <div className={styles.words}>
        <p>
          {origin.kind === 'file' ? (
            <Trans
              i18nKey="packages.history.from-file"
              values={{
                registered: registeredWords(detail),
                file: origin.file ?? t('packages.history.some-file', 'a file'),
              }}
            >
              {'{{registered}}'}, provisioned from <code>{'{{file}}'}</code>. Edit the file to change it.
            </Trans>
          ) : (
            registeredWords(detail)
          )}
        </p>
        {approval && <p title={approval.text}>{approvalWords(approval)}</p>}
        {history.length > 1 && (
          <details>
            <summary>{t('packages.history.list', 'History')}</summary>
            <ul className={styles.history}>
              {history.map((entry, index) => (
                <li key={index}>{entryWords(entry)}</li>
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
