import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { TextLink, useStyles2 } from '@grafana/ui';
import { Fragment, type ReactNode } from 'react';
import type { PackageDetail, Person } from '@nodebell/contract/package.ts';
import { plural } from '../../parts/words';
import { Tags } from '../Tags';
import { nodeWords, repositoryName, secondsWords, typeMeaning } from '../words';

/** What the manifest says in a word or two each. */
export function Facts({ detail }: { detail: PackageDetail }) {
  const styles = useStyles2(getStyles);
  const { facts } = detail;
  const { timeout, repository } = facts;
  return (
    <dl className={styles.facts}>
      {facts.author && <Fact name="Author">{<PersonName person={facts.author} />}</Fact>}
      {facts.contributors.length > 0 && (
        <Fact name="Contributors">
          <People people={facts.contributors} />
        </Fact>
      )}
      <Fact name="License">{facts.license}</Fact>
      {repository && (
        <Fact name="Repository">
          <MaybeLink url={repository.web} text={repositoryName(repository)} />
        </Fact>
      )}
      {facts.bugs && (
        <Fact name="Issues">
          <MaybeLink url={facts.bugs} text="Issue tracker" />
        </Fact>
      )}
      <Fact name="Type">{`${detail.type}: ${typeMeaning(detail.type)}`}</Fact>
      <Fact name="Architectures">{facts.architectures.join(', ')}</Fact>
      {detail.upstreamVersion && <Fact name="Upstream">{detail.upstreamVersion}</Fact>}
      {facts.minimumNodeVersion && (
        <Fact name="Needs node">{nodeWords(facts.minimumNodeVersion, detail.nodeRequirement)}</Fact>
      )}
      {facts.mainService && (
        <Fact name="Main service">
          {facts.mainService}
          {facts.rootAddress && <span className={styles.quiet}>{facts.rootAddress} leads there</span>}
        </Fact>
      )}
      {facts.services.length > 1 && <Fact name="Services">{facts.services.join(', ')}</Fact>}
      <Fact name="Time limit">
        {secondsWords(timeout.seconds)}
        {timeout.given === undefined && ' (default)'}
        {timeout.operations.length > 0 && <span className={styles.quiet}>For {timeout.operations.join(', ')}</span>}
      </Fact>
      {facts.globalEnvs.length > 0 && (
        <Fact name="Global variables">
          {facts.globalEnvs.map(({ envs, services }, index) => (
            <span key={index} className={styles.block}>
              {envs.includes('*') ? 'All' : <Variables names={envs} />}
              {services.length > 0 && <span className={styles.quiet}>for {services.join(', ')}</span>}
            </span>
          ))}
        </Fact>
      )}
      {detail.keywords.length > 0 && (
        <Fact name="Keywords">
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
          and {plural(rest, 'other')}
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
