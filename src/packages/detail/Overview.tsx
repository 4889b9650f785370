import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Box, ClipboardButton, LinkButton, Stack, useStyles2 } from '@grafana/ui';
import type { PackageDetail } from '@nodebell/contract/package.ts';
import { t } from '../../i18n/t';
import { linkProps } from '../../components/links';
import { SPLIT_WIDTH, useWidth } from '../../components/layout';
import { AuthorMarkdown } from '../../components/AuthorMarkdown';
import { linkLabel, sortLinks } from '../../components/packageLinks';
import { StatusItems } from '../Tags';
import { warningsOf } from '../changeMessages';
import { Backup } from './Backup';
import { ChainSection } from './Chain';
import { Dependencies } from './Dependencies';
import { Facts } from './Facts';
import { Recent } from './Recent';
import { Registered } from './Registered';
import { Line, Section } from './Section';
import { List } from '../../components/List';
import { SmallButton } from '../../components/SmallButton';

/** The Overview tab: description and warnings, next to the details. */
export function Overview({ detail, onShowFindings }: { detail: PackageDetail; onShowFindings: () => void }) {
  const styles = useStyles2(getStyles);
  const [widthRef, width] = useWidth();
  const split = (width ?? window.innerWidth) >= SPLIT_WIDTH;
  const { facts } = detail;
  return (
    <div ref={widthRef} className={split ? styles.split : styles.stacked}>
      <Stack direction="column" gap={4} minWidth={0}>
        <div>
          <AuthorMarkdown text={facts.description || detail.shortDescription || ''} />
          <LinkButtons detail={detail} />
        </div>
        {detail.chain && <ChainSection dnpName={detail.dnpName} chain={detail.chain} />}
        <Exposable services={facts.exposable} />
        <Dependencies detail={detail} />
        <Backup detail={detail} />
        <Warnings detail={detail} />
        <Section title={t('packages.findings.title', 'Findings')}>
          <Stack rowGap={1} columnGap={2} wrap alignItems="center">
            <StatusItems summary={{ ...detail, origin: { kind: 'api' } }} />
            {detail.findingList.length > 0 && (
              <SmallButton fill="text" onClick={onShowFindings}>
                {t('packages.findings.show', 'Show in source')}
              </SmallButton>
            )}
          </Stack>
        </Section>
      </Stack>
      <Box
        element="aside"
        display="flex"
        direction="column"
        gap={4}
        minWidth={0}
        aria-label={t('packages.fact.list', 'Details')}
      >
        <Facts detail={detail} />
        <Recent dnpName={detail.dnpName} />
        <Registered detail={detail} />
      </Box>
    </div>
  );
}

function Exposable({ services }: { services: PackageDetail['facts']['exposable'] }) {
  return (
    <Section
      title={t('packages.exposable.title', 'Exposable services')}
      empty={services.length === 0 && t('packages.exposable.none', 'No exposable services.')}
    >
      <List divided>
        {services.map((one) => (
          <Line
            key={`${one.name} ${one.port}`}
            title={one.name}
            text={one.description}
            end={[
              one.service && t('packages.place.service', 'service {{service}}', { service: one.service }),
              t('packages.place.port', 'port {{port}}', { port: one.port }),
            ]
              .filter(Boolean)
              .join(', ')}
          />
        ))}
      </List>
    </Section>
  );
}

function LinkButtons({ detail }: { detail: PackageDetail }) {
  const styles = useStyles2(getStyles);
  const links = sortLinks(detail.links);
  return links.length === 0 ? null : (
    <nav className={styles.links} aria-label={t('packages.link.list', 'Package links')}>
      {links.map((link) => {
        const { icon, long } = linkLabel(link);
        if (link.copyOnly) {
          return <CopyLink key={`${link.kind} ${link.key}`} label={long} url={link.url} />;
        }
        const props = linkProps(link.url);
        return (
          props && (
            <LinkButton
              key={`${link.kind} ${link.key}`}
              variant={link.kind === 'ui' ? 'primary' : 'secondary'}
              {...(icon && { icon })}
              {...props}
              title={link.url}
            >
              {long}
            </LinkButton>
          )
        );
      })}
    </nav>
  );
}

/** A URL that a browser cannot open. */
function CopyLink({ label, url }: { label: string; url: string }) {
  return (
    <Stack wrap alignItems="center" gap={0.5} minWidth={0}>
      <span dir="auto">{label}</span>
      <code>{url}</code>
      <ClipboardButton
        icon="copy"
        variant="secondary"
        fill="text"
        size="sm"
        getText={() => url}
        aria-label={t('packages.link.copy', 'Copy URL of {{name}}', { name: label })}
      />
    </Stack>
  );
}

function Warnings({ detail }: { detail: PackageDetail }) {
  const warnings = warningsOf(detail.facts.warnings);
  return (
    <Section
      title={t('packages.warning.title', 'Author’s warnings')}
      empty={warnings.length === 0 && t('packages.warning.none', 'No warnings.')}
    >
      <Stack direction="column">
        {warnings.map(({ kind, title, text }) => (
          <Alert key={kind} severity="warning" title={title} role="note" bottomSpacing={0}>
            <AuthorMarkdown text={text} />
          </Alert>
        ))}
      </Stack>
    </Section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  split: css({
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) 296px',
    gap: theme.spacing(4),
    alignItems: 'start',
  }),
  stacked: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(4) }),
  links: css({
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(1),
    marginTop: theme.spacing(2),
    '& > a': { maxWidth: '100%', '& > span': { overflow: 'hidden', textOverflow: 'ellipsis' } },
  }),
});
