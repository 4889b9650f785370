import { css } from '@emotion/css';
import {
  type DataLink,
  EventBusSrv,
  type GrafanaTheme2,
  LoadingState,
  type PanelPlugin,
  type PanelProps,
  rangeUtil,
  type ScopedVars,
  type TimeRange,
} from '@grafana/data';
import { Alert, PanelChrome, useStyles2 } from '@grafana/ui';
import { type ComponentType, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router-dom-v5-compat';
import { loadPanel } from '../loadPlugin.ts';

export const PANEL_PAGE = '/panel/';

/** A dashboard has 24 columns; a row is 30 px high, with 8 px between. */
const COLUMNS = 24;
const ROW = 30;
const GAP = 8;

/**
 * One panel, as large as it would be on a dashboard: `/panel/<id>?w=4&h=4&title=Links&options={"packages":[]}`. As on a
 * dashboard, `from` and `to` are its time range and `var-<name>` its variables; `links` are the data links of its fields.
 */
export function PanelPage() {
  const styles = useStyles2(getStyles);
  const location = useLocation();
  const id = decodeURIComponent(location.pathname.slice(PANEL_PAGE.length));
  const search = new URLSearchParams(location.search);
  const [plugin, setPlugin] = useState<PanelPlugin | Error>();
  useEffect(() => {
    loadPanel(id).then(setPlugin, (error: unknown) =>
      setPlugin(error instanceof Error ? error : new Error(String(error)))
    );
  }, [id]);
  const [width, setWidth] = useState(window.innerWidth);
  const columns = Number(search.get('w')) || COLUMNS;
  const rows = Number(search.get('h')) || 8;
  const size = {
    width: Math.floor(((width - (COLUMNS - 1) * GAP) / COLUMNS) * columns + (columns - 1) * GAP),
    height: rows * (ROW + GAP) - GAP,
  };
  return (
    <div className={styles.page} ref={(element) => element && setWidth(element.clientWidth)}>
      <h1 className={styles.title}>Panel</h1>
      {plugin instanceof Error && <Alert severity="error" title={plugin.message} />}
      {plugin && !(plugin instanceof Error) && (
        <PanelChrome title={search.get('title') ?? ''} padding="md" {...size}>
          {(innerWidth: number, innerHeight: number) => (
            <Panel
              plugin={plugin}
              options={readOptions(search.get('options'))}
              search={search}
              width={innerWidth}
              height={innerHeight}
            />
          )}
        </PanelChrome>
      )}
    </div>
  );
}

const readOptions = (text: string | null): object => (text ? (JSON.parse(text) as object) : {});

interface Props {
  plugin: PanelPlugin;
  options: object;
  search: URLSearchParams;
  width: number;
  height: number;
}

function Panel({ plugin, options, search, width, height }: Props) {
  const Component = plugin.panel as ComponentType<Partial<PanelProps>> | null;
  const text = search.toString();
  const timeRange = useMemo(() => readRange(new URLSearchParams(text)), [text]);
  const links = JSON.parse(search.get('links') ?? '[]') as DataLink[];
  return (
    Component && (
      <Component
        id={1}
        title=""
        data={{ state: LoadingState.Done, series: [], timeRange }}
        timeRange={timeRange}
        timeZone="browser"
        options={{ ...(plugin.defaults as object | null), ...options }}
        transparent={false}
        width={width}
        height={height}
        fieldConfig={{ defaults: { links }, overrides: [] }}
        renderCounter={0}
        eventBus={new EventBusSrv()}
        replaceVariables={(words, scoped, format) => replaceVariables(words, search, scoped, format)}
      />
    )
  );
}

const readRange = (search: URLSearchParams): TimeRange =>
  rangeUtil.convertRawToRange({ from: search.get('from') ?? 'now-1h', to: search.get('to') ?? 'now' });

type Format = (value: string | string[]) => string;

/** `$name`, `${name}` and `${name.member}`, as Grafana replaces them; unknown ones stay. */
function replaceVariables(
  words: string,
  search: URLSearchParams,
  scoped: ScopedVars | undefined,
  format: unknown
): string {
  return words.replace(/\$(\w+)|\$\{(\w+)(?:\.(\w+))?\}/g, (whole, plain: string, braced: string, member: string) => {
    const name = plain ?? braced;
    const given: unknown = scoped?.[name]?.value;
    if (given !== undefined) {
      return String(member ? (given as Record<string, unknown>)[member] : given);
    }
    const values = search.getAll(`var-${name}`);
    const value = values.length === 1 ? values[0]! : values;
    return values.length === 0 ? whole : typeof format === 'function' ? (format as Format)(value) : values.join(',');
  });
}

const getStyles = (theme: GrafanaTheme2) => ({
  page: css({ padding: theme.spacing(2) }),
  title: css({ ...theme.typography.h4 }),
});
