import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { TextLink, useStyles2 } from '@grafana/ui';
import { Fragment, type ReactNode } from 'react';
import type { PackageDetail, Person } from '@nodebell/contract/package.ts';
import { t } from '../../i18n/t';
import { Tags } from '../Tags';
import { nodeWords, repositoryName, secondsWords, typeMeaning } from '../words';

/** What the manifest says in a word or two each. */
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
      <Fact name={t('packages.fact.type', 'Type')}>{`${detail.type}: ${typeMeaning(detail.type)}`}</Fact>
      <Fact name={t('packages.fact.architectures', 'Architectures')}>{facts.architectures.join(', ')}</Fact>
      {detail.upstreamVersion && <Fact name={t('packages.fact.upstream', 'Upstream')}>{detail.upstreamVersion}</Fact>}
      {facts.minimumNodeVersion && (
        <Fact name={t('packages.fact.minimum-node', 'Minimum node version')}>
          {nodeWords(facts.minimumNodeVersion, detail.nodeRequirement)}
        </Fact>
      )}
      {facts.mainService && (
        <Fact name={t('packages.fact.main-service', 'Main service')}>
          {facts.mainService}
          {facts.rootAddress && (
            <span className={styles.quiet}>
              {t('packages.fact.root-address', 'address: {{address}}', { address: facts.rootAddress })}
            </span>
          )}
        </Fact>
      )}
      {facts.services.length > 1 && (
        <Fact name={t('packages.fact.services', 'Services')}>{facts.services.join(', ')}</Fact>
      )}
      <Fact name={t('packages.fact.timeout', 'Timeout')}>
        {timeout.given === undefined
          ? t('packages.fact.default', '{{time}} (default)', { time: secondsWords(timeout.seconds) })
          : secondsWords(timeout.seconds)}
        {timeout.operations.length > 0 && (
          <span className={styles.quiet}>
            {t('packages.fact.for-operations', 'For {{names}}', { names: timeout.operations.join(', ') })}
          </span>
        )}
      </Fact>
      {facts.globalEnvs.length > 0 && (
        <Fact name={t('packages.fact.global-variables', 'Global environment variables')}>
          {facts.globalEnvs.map(({ envs, services }, index) => (
            <span key={index} className={styles.block}>
              {envs.includes('*') ? t('packages.fact.all-variables', 'All') : <Variables names={envs} />}
              {services.length > 0 && (
                <span className={styles.quiet}>
                  {t('packages.fact.for-services', 'for {{names}}', { names: services.join(', ') })}
                </span>
              )}
            </span>
          ))}
        </Fact>
      )}
      {detail.keywords.length > 0 && (
        <Fact name={t('packages.fact.keywords', 'Keywords')}>
          <Tags words={detail.keywords} />
        </Fact>
      )}
    </dl>
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

/** Their names are long, and are broken between words rather than in them. */
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

const othersWords = (count: number): string =>
  t('packages.fact.others', '', {
    count,
    defaultValue_one: 'and {{count, number}} more',
    defaultValue_other: 'and {{count, number}} more',
  });

const FIRST_PEOPLE = 5;

function People({ people }: { people: Person[] }) {
  const styles = useStyles2(getStyles);
  const rest = people.length - FIRST_PEOPLE;
  return (
    <>
      {people.slice(0, FIRST_PEOPLE).map((person, index) => (
        <span key={index} className={styles.block}>
          <PersonName person={person} />
        </span>
      ))}
      {rest > 0 && (
        <span
          className={styles.quiet}
          title={people
            .slice(FIRST_PEOPLE)
            .map(({ text }) => text)
            .join('\n')}
        >
          {othersWords(rest)}
        </span>
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
    dd: { margin: 0, overflowWrap: 'anywhere' },
  }),
  block: css({ display: 'block' }),
  quiet: css({
    display: 'block',
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
  }),
});
