import { Alert, Button, Collapse, EmptyState, LoadingPlaceholder, Stack, Text } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Suppressions } from '@nodebell/contract/suppression.ts';
import { maintenanceQuery } from '../api/maintenance';
import { may } from '../api/permissions';
import type { ReadSilences } from '../api/silences';
import { List } from '../components/List';
import { LivePage } from '../components/LivePage';
import { useLastFound } from '../components/useLastFound';
import { SecondaryText } from '../components/SecondaryText';
import { useNow } from '../components/timers';
import { t } from '../i18n/t';
import { silencesQuery } from '../inbox/silences/useSilences';
import { rowsOf, type SilenceRow as Row } from './rows';
import { SilenceRow } from './SilenceRow';
import { threadsNotSent } from './texts';
import { WindowForm } from './WindowForm';

const EVERY_MS = 30_000;
const NO_SILENCES: ReadSilences = { through: 'bridge', alertmanagers: [], silences: [] };

/** Silences of all Alertmanagers, maintenance windows, and inhibition rules. */
export default function SilencesPage({ bridgeUrl }: { bridgeUrl: string }) {
  const query = useQuery(maintenanceQuery);
  const { data, error, refetch } = query;
  const silences = useQuery({ ...silencesQuery(true), refetchInterval: EVERY_MS, refetchOnWindowFocus: 'always' });
  const [search, setSearch] = useSearchParams();
  const editedId = search.get('edit');
  const found = data?.windows.find(({ id, file }) => id === editedId && file === undefined);
  const edited = useLastFound(found, editedId);
  const isForm = may('inbox:write') && (search.has('add') || edited !== undefined);
  const retry = () => void Promise.all([refetch(), silences.refetch()]);
  const close = () => {
    retry();
    // Going back does not open it again.
    setSearch({}, { replace: true });
  };
  const edit = (id: string) => setSearch({ edit: id });
  return (
    <LivePage
      bridgeUrl={bridgeUrl}
      page="silences"
      error={error ?? silences.error}
      query={query}
      live={{ nextTry: undefined, retry }}
      subTitle={t('silences.page.subtitle', 'Alerts that are stored, but not sent')}
      actions={data && !isForm && <AddButton onClick={() => setSearch({ add: '1' })} />}
    >
      {data && isForm ? (
        <WindowForm key={edited?.id ?? ''} window={edited} onDone={close} />
      ) : data ? (
        <Lists silences={silences.data} isLoading={silences.isPending} {...data} onEdit={edit} />
      ) : (
        !error && <LoadingPlaceholder text={t('silences.page.loading', 'Loading silences…')} />
      )}
    </LivePage>
  );
}

const AddButton = ({ onClick }: { onClick: () => void }) =>
  may('inbox:write') && (
    <Button icon="plus" onClick={onClick}>
      {t('silences.page.add', 'Add maintenance window')}
    </Button>
  );

interface ListsProps extends Suppressions {
  /** Undefined: they are not loaded, or could not be. */
  silences: ReadSilences | undefined;
  /** An Alertmanager may take long to respond. */
  isLoading: boolean;
  onEdit: (id: string) => void;
}

function Lists({ silences, isLoading, windows, rules, onEdit }: ListsProps) {
  const now = useNow();
  const [isOpen, setOpen] = useState(false);
  const listed = (wanted: readonly Row[]) => (
    <List divided>
      {wanted.map((row) => (
        <SilenceRow key={row.key} {...{ row, now, onEdit }} />
      ))}
    </List>
  );
  const rows = rowsOf(silences ?? NO_SILENCES, windows);
  const current = rows.filter(({ state }) => state !== 'expired');
  const expired = rows.filter(({ state }) => state === 'expired');
  return (
    <Stack direction="column" gap={3}>
      {silences?.alertmanagers.map(
        ({ id, name, reason }) =>
          reason !== undefined && <Alert key={id} severity="warning" title={[name, reason].join(': ')} />
      )}
      {isLoading && <LoadingPlaceholder text={t('silences.page.loading', 'Loading silences…')} />}
      {current.length > 0 && listed(current)}
      {current.length === 0 && silences && (
        <EmptyState variant="completed" message={t('silences.page.empty', 'Nothing is silenced')} />
      )}
      {expired.length > 0 && (
        <Collapse
          isOpen={isOpen}
          onToggle={setOpen}
          label={t('silences.page.expired', 'Expired ({{n, number}})', { n: expired.length })}
        >
          {listed(expired)}
        </Collapse>
      )}
      {rules.length > 0 && <Rules rules={rules} />}
    </Stack>
  );
}

/** Inhibition rules of provisioning files. */
function Rules({ rules }: Pick<Suppressions, 'rules'>) {
  return (
    <section>
      <Text element="h2" variant="h4">
        {t('silences.rules.title', 'Inhibition rules')}
      </Text>
      <List divided>
        {rules.map((rule, index) => (
          <li key={index}>
            <Text element="p">{rule.name ?? rule.source_matchers.join(', ')}</Text>
            <SecondaryText element="p">
              {[
                t('silences.rules.sides', '{{source}} inhibits {{target}}', {
                  source: rule.source_matchers.join(', '),
                  target: rule.target_matchers.join(', '),
                }),
                ...(rule.equal?.length
                  ? [t('silences.rules.equal', 'equal: {{labels}}', { labels: rule.equal.join(', ') })]
                  : []),
                threadsNotSent(rule.threads),
                rule.file,
              ].join(' · ')}
            </SecondaryText>
          </li>
        ))}
      </List>
    </section>
  );
}
