import { css } from '@emotion/css';
import { getTimeZone, type GrafanaTheme2 } from '@grafana/data';
import { Button, Combobox, Field, Input, LinkButton, Stack, Text, useStyles2 } from '@grafana/ui';
import { useInfiniteQuery } from '@tanstack/react-query';
import { AUDIT_ACTIONS, type AuditEntry } from '@nodebell/contract/audit.ts';
import { useState } from 'react';
import { auditExport, type AuditFilter, auditQuery } from '../../api/access';
import { absoluteTime, momentOfInput } from '../../components/moments';
import { t } from '../../i18n/t';
import { Section } from '../Section';
import { NotLoaded } from './NotLoaded';

/** Names of formats, the same in each language. */
const CSV = 'CSV';
const JSON_LINES = 'JSON Lines';

/** Audit log with filter and export. For admins. */
export function AuditSection() {
  const styles = useStyles2(getStyles);
  const [filter, setFilter] = useState<AuditFilter>({});
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(auditQuery(filter));
  const entries = data?.pages.flatMap((page) => page.entries);
  return (
    <Section
      title={t('config.audit.title', 'Audit log')}
      text={t('config.audit.text', 'Who changed what, with the values before and after. Entries contain no secrets.')}
    >
      <Filters filter={filter} onChange={setFilter} onRefresh={() => void refetch()} />
      {entries === undefined ? (
        <NotLoaded error={error} onRetry={() => void refetch()} />
      ) : entries.length === 0 ? (
        <Text element="p" color="secondary">
          {Object.values(filter).some((value) => value !== undefined)
            ? t('config.audit.no-match', 'No entry matches the filter.')
            : t('config.audit.none', 'No changes recorded yet.')}
        </Text>
      ) : (
        <ol className={styles.list} aria-label={t('config.audit.title', 'Audit log')} tabIndex={0}>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      {entries && error && <NotLoaded error={error} onRetry={() => void refetch()} />}
      {hasNextPage && (
        <Button variant="secondary" fill="text" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('config.audit.more', 'Show older entries')}
        </Button>
      )}
    </Section>
  );
}

interface FiltersProps {
  filter: AuditFilter;
  onChange: (filter: AuditFilter) => void;
  onRefresh: () => void;
}

function Filters({ filter, onChange, onRefresh }: FiltersProps) {
  const styles = useStyles2(getStyles);
  const [actor, setActor] = useState('');
  const apply = () => onChange({ ...filter, actor: actor.trim() || undefined });
  return (
    <form
      className={styles.filters}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <Field noMargin className={styles.field} label={t('config.audit.who', 'Login, token or file')}>
        <Input
          id="nodebell-audit-actor"
          value={actor}
          onChange={({ currentTarget }) => setActor(currentTarget.value)}
          onBlur={apply}
        />
      </Field>
      <Field noMargin className={styles.field} label={t('config.audit.action', 'Action')}>
        <Combobox
          id="nodebell-audit-action"
          isClearable
          placeholder={t('config.audit.any', 'Any')}
          options={AUDIT_ACTIONS.map((value) => ({ value }))}
          value={filter.action ?? null}
          onChange={(option) => onChange({ ...filter, action: option?.value })}
        />
      </Field>
      <Field noMargin className={styles.field} label={t('config.audit.since', 'Since')}>
        <Input
          id="nodebell-audit-since"
          type="date"
          onChange={({ currentTarget }) => {
            onChange({ ...filter, from: momentOfInput(`${currentTarget.value}T00:00`, getTimeZone()) });
          }}
        />
      </Field>
      <Stack wrap>
        <Button
          variant="secondary"
          icon="sync"
          type="button"
          onClick={onRefresh}
          aria-label={t('config.audit.refresh', 'Refresh')}
        />
        <LinkButton variant="secondary" icon="download-alt" href={auditExport(filter, 'csv')} download target="_self">
          {CSV}
        </LinkButton>
        <LinkButton variant="secondary" icon="download-alt" href={auditExport(filter, 'jsonl')} download target="_self">
          {JSON_LINES}
        </LinkButton>
      </Stack>
    </form>
  );
}

function Entry({ entry: { at, actor, action, object, before, after } }: { entry: AuditEntry }) {
  const styles = useStyles2(getStyles);
  const who = [actorLabel(actor), actor.address].filter((part) => part !== undefined).join(' · ');
  return (
    <li className={styles.entry}>
      <div>
        <code>{action}</code> <code>{object}</code>
      </div>
      <div className={styles.who}>
        <time dateTime={at}>{absoluteTime(at)}</time> · {who}
      </div>
      {(before !== undefined || after !== undefined) && (
        <code className={styles.values}>
          {[before, after].map((value) => (value === undefined ? '–' : JSON.stringify(value))).join(' → ')}
        </code>
      )}
    </li>
  );
}

function actorLabel({ kind, name }: AuditEntry['actor']): string {
  switch (kind) {
    case 'user':
      return name;
    case 'token':
      return t('config.audit.by-token', 'Admin token');
    case 'cli':
      return t('config.audit.by-cli', 'Command line');
    case 'file':
      return t('config.audit.by-file', 'File {{name}}', { name });
    case 'open':
      return t('config.audit.by-anybody', 'Without authentication');
    case 'bridge':
      return name === '' ? t('config.audit.by-bridge', 'Bridge') : name;
  }
}

const getStyles = (theme: GrafanaTheme2) => ({
  filters: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'flex-end',
    gap: theme.spacing(1),
    marginBottom: theme.spacing(2),
  }),
  field: css({ flex: '1 1 150px', minWidth: 0 }),
  list: css({
    listStyle: 'none',
    margin: 0,
    padding: 0,
    maxHeight: 480,
    overflowY: 'auto',
    borderTop: `1px solid ${theme.colors.border.weak}`,
  }),
  entry: css({
    padding: theme.spacing(1, 0),
    borderBottom: `1px solid ${theme.colors.border.weak}`,
    overflowWrap: 'anywhere',
  }),
  who: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize }),
  values: css({
    display: 'block',
    padding: 0,
    border: 'none',
    background: 'none',
    whiteSpace: 'pre-wrap',
    fontFamily: theme.typography.fontFamilyMonospace,
    fontSize: theme.typography.bodySmall.fontSize,
  }),
});
