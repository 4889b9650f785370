import { Stack, Text } from '@grafana/ui';
import type { PackageDetail } from '@nodebell/contract/package.ts';
import { t, Trans } from '../../i18n/t';
import { dateAndTime } from '../../components/moments';
import { Section } from './Section';
import { List } from '../../components/List';
import { SecondaryText } from '../../components/SecondaryText';

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
  const { origin, approval, history } = detail;
  return (
    <Section title={t('packages.history.title', 'Registration')}>
      <Stack direction="column">
        <Text element="p" color="secondary">
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
        </Text>
        {approval && (
          <Text element="p" color="secondary" title={approval.text}>
            {approvalMessage(approval)}
          </Text>
        )}
        {history.length > 1 && (
          <details>
            <summary>{t('packages.history.list', 'History')}</summary>
            <List marginTop={0.5}>
              {history.map((entry, index) => (
                <SecondaryText key={index} element="li">
                  {entryMessage(entry)}
                </SecondaryText>
              ))}
            </List>
          </details>
        )}
      </Stack>
    </Section>
  );
}
