import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Icon, useStyles2 } from '@grafana/ui';
import { memo, useId } from 'react';
import type { Endpoint, EndpointPackage } from '@nodebell/contract/endpoint.ts';
import { Avatar } from '../../parts/Avatar';
import { mayChange } from '../../parts/access';
import { linkProps } from '../../parts/links';
import { StateText } from '../../parts/StateText';
import { plural } from '../../parts/words';
import { pathTo } from '../../routes';
import { EndpointRow } from '../endpoint/EndpointRow';
import { NotSaved } from '../endpoint/NotSaved';
import { Sign } from '../endpoint/Sign';
import { SwitchOrWord } from '../endpoint/SwitchOrWord';
import { useOptimistic } from '../useOptimistic';
import { useSaveEndpoint, useSavePackage } from '../useSaving';
import { mutingCategory, originWords, packageWords } from '../words';
import { Leftovers } from './Leftovers';

interface Props {
  one: EndpointPackage;
  /** Those that are shown. */
  endpoints: readonly Endpoint[];
  open: boolean;
  onOpen: (dnpName: string, open: boolean) => void;
}

/** A package with its switch and its endpoints. */
export const PackageCard = memo(function PackageCard({ one, endpoints, open, onOpen }: Props) {
  const styles = useStyles2(getStyles);
  const id = useId();
  const { dnpName, problems, leftovers } = one;
  const hidden = one.endpoints.length - endpoints.length;
  const explained = !one.enabled.value || mutingCategory(one.endpoints) !== undefined;
  return (
    <li className={styles.card} data-package={dnpName}>
      <Head one={one} open={open} bodyId={id} onOpen={() => onOpen(dnpName, !open)} />
      {problems.map(({ file, line, column, detail }) => (
        <Alert
          key={`${file}:${line}:${column} ${detail}`}
          severity="warning"
          role="status"
          className={styles.problem}
          bottomSpacing={0}
          title={`${file}, line ${line}, column ${column}`}
        >
          {detail} The state before it is in use.
        </Alert>
      ))}
      {open && (
        <div id={id}>
          <ul className={styles.list} aria-label={`Endpoints of ${dnpName}`}>
            {endpoints.map((endpoint) => (
              <Saved
                key={`${endpoint.kind} ${endpoint.correlationId}`}
                dnpName={dnpName}
                endpoint={endpoint}
                explained={explained}
              />
            ))}
          </ul>
          {hidden > 0 && <p className={styles.hidden}>{`${plural(hidden, 'endpoint')} more without these words.`}</p>}
          {leftovers.length > 0 && <Leftovers leftovers={leftovers} />}
        </div>
      )}
    </li>
  );
});

/** Joins a row to the bridge. */
const Saved = memo(function Saved(props: { dnpName: string; endpoint: Endpoint; explained: boolean }) {
  const { dnpName, endpoint, explained } = props;
  const save = useSaveEndpoint(dnpName, endpoint.correlationId);
  return <EndpointRow endpoint={endpoint} explained={explained} save={mayChange() ? save : undefined} />;
});

interface HeadProps {
  one: EndpointPackage;
  open: boolean;
  bodyId: string;
  onOpen: () => void;
}

function Head({ one, open, bodyId, onOpen }: HeadProps) {
  const styles = useStyles2(getStyles);
  const { dnpName, enabled, endpoints } = one;
  const { shown: on, set, failure } = useOptimistic(enabled.value);
  const save = useSavePackage(dnpName);
  const words = packageWords({ ...one, enabled: { ...enabled, value: on } });
  const muted = !on || mutingCategory(endpoints) !== undefined;
  return (
    <div className={styles.head}>
      <div className={styles.row}>
        <Avatar icon={one.icon} dnpName={dnpName} size={32} />
        <div className={styles.names}>
          <h2 className={styles.name}>
            <button
              type="button"
              className={styles.toggle}
              aria-expanded={open}
              aria-controls={open ? bodyId : undefined}
              onClick={onOpen}
            >
              <span dir="auto" title={dnpName}>
                {dnpName}
              </span>
              <Icon name={open ? 'angle-up' : 'angle-down'} />
            </button>
          </h2>
          <div className={styles.summary}>
            <StateText icon={muted ? 'bell-slash' : 'bell'} tone="secondary" text={words} />
            <Pendings one={one} />
          </div>
        </div>
        <a className={styles.link} aria-label={`Package ${dnpName}`} {...linkProps(pathTo.package(dnpName))}>
          <Icon name="file-alt" size="sm" /> <span>Package</span>
        </a>
        <SwitchOrWord
          label={`Notifications of ${dnpName}`}
          shown={on}
          disabled={enabled.origin === 'provisioned'}
          onSwitch={mayChange() ? (next) => set(next, () => save(next)) : undefined}
        />
      </div>
      {enabled.origin === 'provisioned' && <Sign icon="lock" tone="secondary" text={originWords(enabled) ?? ''} />}
      {failure && <NotSaved failure={failure} />}
    </div>
  );
}

/** What a folded card would hide. */
function Pendings({ one: { endpoints } }: { one: EndpointPackage }) {
  const pending = endpoints.filter(({ effects }) => effects.some(({ state }) => state === 'pending')).length;
  const news = endpoints.filter(({ threshold }) => threshold?.recommends).length;
  return (
    <>
      {pending > 0 && <StateText icon="hourglass" tone="warning" text={`${pending} pending`} />}
      {news > 0 && <StateText icon="info-circle" tone="info" text={plural(news, 'new recommendation')} />}
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  card: css({
    minWidth: 0,
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
    background: theme.colors.background.canvas,
    contentVisibility: 'auto',
    containIntrinsicHeight: 'auto 68px',
  }),
  head: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1), padding: theme.spacing(1.5, 2) }),
  row: css({ position: 'relative', display: 'flex', alignItems: 'center', gap: theme.spacing(1.5) }),
  names: css({ flex: 1, minWidth: 0 }),
  name: css({ ...theme.typography.h5, margin: 0 }),
  // The whole head opens the card; what else stands in it lies above.
  toggle: css({
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(0.5),
    maxWidth: '100%',
    padding: 0,
    border: 'none',
    background: 'none',
    font: 'inherit',
    color: 'inherit',
    textAlign: 'start',
    '& > span': {
      display: '-webkit-box',
      WebkitLineClamp: 2,
      WebkitBoxOrient: 'vertical',
      overflow: 'hidden',
      overflowWrap: 'anywhere',
    },
    '& > svg': { flex: 'none', color: theme.colors.text.secondary },
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}`, outlineOffset: 2 },
  }),
  summary: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0, 2), '& > span': { whiteSpace: 'normal' } }),
  link: css({
    display: 'inline-flex',
    alignItems: 'center',
    gap: theme.spacing(0.75),
    padding: theme.spacing(0.5, 1),
    fontSize: theme.typography.bodySmall.fontSize,
    color: theme.colors.text.primary,
    borderRadius: theme.shape.radius.default,
    '&:hover': { background: theme.colors.action.hover },
    '@container thresholds (max-width: 560px)': { '& > span': { display: 'none' } },
  }),
  problem: css({ margin: theme.spacing(0, 2, 2) }),
  list: css({ listStyle: 'none' }),
  hidden: css({
    margin: 0,
    padding: theme.spacing(1, 2),
    borderTop: `1px solid ${theme.colors.border.weak}`,
    fontSize: theme.typography.bodySmall.fontSize,
    color: theme.colors.text.secondary,
  }),
});
