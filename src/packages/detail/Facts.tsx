import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { TextLink, useStyles2 } from '@grafana/ui';
import { Fragment, type ReactNode } from 'react';
import type { PackageDetail, Person } from '@nodebell/contract/package.ts';
import { t } from '../../i18n/t';
import { Tags } from '../Tags';
import { nodeRequirementMessage, repositoryName, formatSeconds, typeDescription } from '../messages';
import { SecondaryText } from '../../components/SecondaryText';

/** Short facts from the manifest. */
export function Facts({ detail }: { detail: PackageDetail }) {
  const styles = useStyles2(getStyles);
  const { facts } = detail;
  const { timeout, repository } = facts;
  return (
    <dl className={styles.facts}>
      {facts.author && <Fact name={t('packages.fact.author', 'Author')}>{<PersonName person={facts.author} />}</Fact>}
      {facts.contributors.length > 0 && (
        <Fact name={t('packages.fact.contributors', 'Contributors')}>
          <People people={facts.contributors} />
        </Fact>
      )}
      <Fact name={t('packages.fact.license', 'License')}>{facts.license}</Fact>
      {repository && (
        <Fact name={t('packages.fact.repository', 'Repository')}>
          <MaybeLink url={repository.web} text={repositoryName(repository)} />
        </Fact>
      )}
      {facts.bugs && (
        <Fact name={t('packages.fact.issues', 'Issues')}>
          <MaybeLink url={facts.bugs} text={t('packages.fact.issue-tracker', 'Issue tracker')} />
        </Fact>
      )}
      <Fact name={t('packages.fact.type', 'Type')}>{`${detail.type}: ${typeDescription(detail.type)}`}</Fact>
      <Fact name={t('packages.fact.architectures', 'Architectures')}>{facts.architectures.join(', ')}</Fact>
      {detail.upstreamVersion && <Fact name={t('packages.fact.upstream', 'Upstream')}>{detail.upstreamVersion}</Fact>}
      {facts.minimumNodeVersion && (
        <Fact name={t('packages.fact.minimum-node', 'Minimum node version')}>
          {nodeRequirementMessage(facts.minimumNodeVersion, detail.nodeRequirement)}
        </Fact>
      )}
      {facts.mainService && (
        <Fact name={t('packages.fact.main-service', 'Main service')}>
          {facts.mainService}
          {facts.rootAddress && (
            <SecondaryText element="p">
              {t('packages.fact.root-address', 'address: {{address}}', { address: facts.rootAddress })}
            </SecondaryText>
          )}
        </Fact>
      )}
      {facts.services.length > 1 && (
        <Fact name={t('packages.fact.services', 'Services')}>{facts.services.join(', ')}</Fact>
      )}
      <Timeout {...timeout} />
      {facts.globalEnvs.length > 0 && <GlobalVariables globalEnvs={facts.globalEnvs} />}
      {detail.keywords.length > 0 && (
        <Fact name={t('packages.fact.keywords', 'Keywords')}>
          <Tags labels={detail.keywords} />
        </Fact>
      )}
    </dl>
  );
}

function Timeout({ given, seconds, operations }: PackageDetail['facts']['timeout']) {
  return (
    <Fact name={t('packages.fact.timeout', 'Timeout')}>
      {given === undefined
        ? t('packages.fact.default', '{{time}} (default)', { time: formatSeconds(seconds) })
        : formatSeconds(seconds)}
      {operations.length > 0 && (
        <SecondaryText element="p">
          {t('packages.fact.for-operations', 'For {{names}}', { names: operations.join(', ') })}
        </SecondaryText>
      )}
    </Fact>
  );
}

function GlobalVariables({ globalEnvs }: Pick<PackageDetail['facts'], 'globalEnvs'>) {
  return (
    <Fact name={t('packages.fact.global-variables', 'Global environment variables')}>
      {globalEnvs.map(({ envs, services }, index) => (
        <div key={index}>
          {envs.includes('*') ? t('packages.fact.all-variables', 'All') : <Variables names={envs} />}
          {services.length > 0 && (
            <SecondaryText element="p">
              {t('packages.fact.for-services', 'for {{names}}', { names: services.join(', ') })}
            </SecondaryText>
          )}
        </div>
      ))}
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </>
  );
}

/** Variable names are long; break them at underscores. */
const Variables = ({ names }: { names: string[] }) =>
  names
    .join(', ')
    .split('_')
    .map((part, index) => (
      <Fragment key={index}>
        {index > 0 && (
          <>
            _<wbr />
          </>
        )}
        {part}
      </Fragment>
    ));

function MaybeLink({ url, text }: { url: string | undefined; text: string }) {
  return url ? (
    <TextLink href={url} external>
      {text}
    </TextLink>
  ) : (
    <>{text}</>
  );
}

const PersonName = ({ person }: { person: Person }) => (
  <MaybeLink url={person.url} text={person.name || person.email || person.text} />
);

const othersLabel = (count: number): string =>
  t('packages.fact.others', '', {
    count,
    defaultValue_one: 'and {{count, number}} more',
    defaultValue_other: 'and {{count, number}} more',
  });

const FIRST_PEOPLE = 5;

function People({ people }: { people: Person[] }) {
  const rest = people.length - FIRST_PEOPLE;
  return (
    <>
      {people.slice(0, FIRST_PEOPLE).map((person, index) => (
        <div key={index}>
          <PersonName person={person} />
        </div>
      ))}
      {rest > 0 && (
        <SecondaryText
          element="p"
          title={people
            .slice(FIRST_PEOPLE)
            .map(({ text }) => text)
            .join('\n')}
        >
          {othersLabel(rest)}
        </SecondaryText>
      )}
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  facts: css({
    display: 'grid',
    gridTemplateColumns: 'minmax(80px, auto) minmax(0, 1fr)',
    gap: theme.spacing(1, 2),
    margin: 0,
    dt: { color: theme.colors.text.secondary, fontWeight: theme.typography.fontWeightMedium },
    dd: { margin: 0 },
  }),
});
