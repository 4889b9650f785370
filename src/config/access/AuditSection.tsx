import { css } from '@emotion/css';
import { getTimeZone } from '@grafana/data';
import { Box, Button, Combobox, LinkButton, Stack, Text } from '@grafana/ui';
import { useInfiniteQuery } from '@tanstack/react-query';
import { AUDIT_ACTIONS, type AuditEntry } from '@nodebell/contract/audit.ts';
import { type FormEvent, useState } from 'react';
import { auditExport, type AuditFilter, auditQuery } from '../../api/access';
import { absoluteTime, momentOfInput } from '../../components/moments';
import { t } from '../../i18n/t';
import { Section } from '../Section';
import { NotLoaded } from './NotLoaded';
import { List } from '../../components/List';
import { SecondaryText } from '../../components/SecondaryText';
import { FormField, TextField } from '../../components/TextField';

/** Names of formats, the same in each language. */
const CSV = 'CSV';
const JSON_LINES = 'JSON Lines';

/** Audit log with filter and export. For admins. */
export function AuditSection() {
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
        <div className={scrolling} tabIndex={0} role="region" aria-label={t('config.audit.title', 'Audit log')}>
          <List divided>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </List>
        </div>
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
  const [actor, setActor] = useState('');
  const apply = () => onChange({ ...filter, actor: actor.trim() || undefined });
  return (
    <Box
      element="form"
      marginBottom={2}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        apply();
      }}
    >
      <Stack wrap alignItems="flex-end">
        <Box flex="1 1 150px" minWidth={0}>
          <TextField
            id="nodebell-audit-actor"
            label={t('config.audit.who', 'Login, token or file')}
            value={actor}
            onChange={setActor}
            onBlur={apply}
          />
        </Box>
        <Box flex="1 1 150px" minWidth={0}>
          <FormField label={t('config.audit.action', 'Action')}>
            <Combobox
              id="nodebell-audit-action"
              isClearable
              placeholder={t('config.audit.any', 'Any')}
              options={AUDIT_ACTIONS.map((value) => ({ value }))}
              value={filter.action ?? null}
              onChange={(option) => onChange({ ...filter, action: option?.value })}
            />
          </FormField>
        </Box>
        <Box flex="1 1 150px" minWidth={0}>
          <TextField
            id="nodebell-audit-since"
            type="date"
            label={t('config.audit.since', 'Since')}
            onChange={(day) => onChange({ ...filter, from: momentOfInput(`${day}T00:00`, getTimeZone()) })}
          />
        </Box>
        <Button variant="secondary" icon="sync" onClick={onRefresh} aria-label={t('config.audit.refresh', 'Refresh')} />
        <Exports filter={filter} />
      </Stack>
    </Box>
  );
}

const Exports = ({ filter }: { filter: AuditFilter }) => (
  <>
    <LinkButton variant="secondary" icon="download-alt" href={auditExport(filter, 'csv')} download target="_self">
      {CSV}
    </LinkButton>
    <LinkButton variant="secondary" icon="download-alt" href={auditExport(filter, 'jsonl')} download target="_self">
      {JSON_LINES}
    </LinkButton>
  </>
);

function Entry({ entry: { at, actor, action, object, before, after } }: { entry: AuditEntry }) {
  const who = [ACTOR_LABELS[actor.kind](actor.name), actor.address].filter((part) => part !== undefined).join(' · ');
  return (
    <li>
      <code>{action}</code> <code>{object}</code>
      <SecondaryText element="p">
        <time dateTime={at}>{absoluteTime(at)}</time> · {who}
      </SecondaryText>
      {(before !== undefined || after !== undefined) && (
        <SecondaryText element="p">
          <code>{[before, after].map((value) => (value === undefined ? '–' : JSON.stringify(value))).join(' → ')}</code>
        </SecondaryText>
      )}
    </li>
  );
}

const ACTOR_LABELS: Record<AuditEntry['actor']['kind'], (name: string) => string> = {
  user: (name) => name,
  token: () => t('config.audit.by-token', 'Admin token'),
  cli: () => t('config.audit.by-cli', 'Command line'),
  file: (name) => t('config.audit.by-file', 'File {{name}}', { name }),
  open: () => t('config.audit.by-anybody', 'Without authentication'),
  bridge: (name) => name || t('config.audit.by-bridge', 'Bridge'),
  channel: (name) => name,
  sender: (name) => t('config.audit.by-sender', 'Sender {{name}}', { name }),
};

const scrolling = css({ maxHeight: 480, overflowY: 'auto' });
