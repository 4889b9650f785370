/* oxlint-disable typescript/no-deprecated -- the classic model is what files and POST /api/dashboards/db take */
/** Makes the dashboard of a package from what its manifest says. The same manifest gives the same dashboard. */
import {
  type Dashboard,
  DashboardBuilder,
  DashboardLinkBuilder,
  PanelBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { PanelBuilder as TextBuilder } from '@grafana/grafana-foundation-sdk/text';
import type { ManifestFacts } from '../../validation/manifest/validateManifest.ts';
import type { ValidatedPackage } from '../../validation/package/validatePackage.ts';
import type { PackageDashboard } from '../../../contract/package.ts';
import { APP_PATH } from '../../../contract/inboxLink.ts';
import { urlSegment } from '../../../contract/url.ts';
import { linkAddress, markdownText, titleText } from './escape.ts';
import { uidFor } from './uid.ts';

const WIDTH = 24;
const HALF = WIDTH / 2;

/** Names of links whose keys say little. */
const LINK_WORDS: Partial<Record<string, string>> = {
  homepage: 'Homepage',
  ui: 'UI',
  api: 'Querying API',
  engine: 'Engine API',
  gateway: 'Gateway',
  report: 'Report an issue',
};

/**
 * @param endpoints of the package: with a metric there is a panel of sliders
 * @param others dashboards that the package ships or names, to be linked
 */
export function generateDashboard(
  facts: ManifestFacts,
  endpoints: Pick<ValidatedPackage, 'endpoints' | 'customEndpoints'>,
  others: readonly PackageDashboard[]
): Dashboard {
  const { summary } = facts;
  const name = summary.dnpName;
  const builder = new DashboardBuilder(titleText(name))
    .uid(uidFor(name))
    .description(titleText(summary.shortDescription ?? ''))
    .tags(['nodebell'])
    .time({ from: 'now-6h', to: 'now' })
    .links(links(facts, others));
  const hasSliders = [...endpoints.endpoints, ...endpoints.customEndpoints].some(({ metric }) => metric);
  panels(facts, hasSliders).forEach((panel, index) => builder.withPanel(panel.id(index + 1)));
  const dashboard = builder.build();
  // The builder hides links in a menu by a default that Grafana itself does not have.
  dashboard.links?.forEach((link) => delete link.placement);
  return dashboard;
}

function links({ summary }: ManifestFacts, others: readonly PackageDashboard[]): DashboardLinkBuilder[] {
  const inGrafana = [
    { title: 'Package', url: `${APP_PATH}/packages/${urlSegment(summary.dnpName)}` },
    ...others.map(({ title, uid }) => ({ title: titleText(title), url: `/d/${uid}` })),
  ];
  const outside = summary.links.flatMap(({ key, kind, url }) => {
    const address = linkAddress(url);
    return address === undefined ? [] : [{ title: titleText(LINK_WORDS[kind] ?? key), url: address }];
  });
  return [
    ...inGrafana.map(({ title, url }) => new DashboardLinkBuilder(title).url(url).icon('dashboard')),
    ...outside.map(({ title, url }) =>
      new DashboardLinkBuilder(title).url(url).icon('external link').targetBlank(true)
    ),
  ];
}

/** In rows of the whole width. */
function panels(facts: ManifestFacts, hasSliders: boolean): Array<TextBuilder | PanelBuilder> {
  const name = facts.summary.dnpName;
  const exposable = facts.facts.exposable;
  const about = new TextBuilder().title('About').content(aboutText(facts)).span(HALF).height(6);
  const own = new PanelBuilder()
    .type('nodebell-packages-panel')
    .title('Links')
    .options({ packages: [name] });
  const chain = new PanelBuilder()
    .type('nodebell-chainsync-panel')
    .title('Chain')
    .options({ packages: [name] });
  const inbox = new PanelBuilder()
    .type('nodebell-inbox-panel')
    .title('Notifications')
    .options({ dnpName: [name] });
  const sliders = new PanelBuilder()
    .type('nodebell-thresholds-panel')
    .title('Thresholds')
    .options({ packages: [name], onlySliders: true });
  const services = new TextBuilder().title('Exposable services').content(servicesText(exposable)).span(WIDTH);
  return [
    about,
    own.span(HALF).height(6),
    ...(facts.summary.chain
      ? [chain.span(HALF).height(12), inbox.span(HALF).height(12)]
      : [inbox.span(WIDTH).height(12)]),
    ...(hasSliders ? [sliders.span(WIDTH).height(8)] : []),
    ...(exposable.length > 0 ? [services.height(Math.min(20, 4 + exposable.length))] : []),
  ];
}

function aboutText({ summary }: ManifestFacts): string {
  const { shortDescription, version, upstreamVersion, categories, links } = summary;
  const lines = [
    ...(shortDescription ? [markdownText(shortDescription), ''] : []),
    `- Version ${markdownText(version)}${upstreamVersion ? ` (${markdownText(upstreamVersion)})` : ''}`,
    ...(categories.length > 0 ? [`- ${categories.map(markdownText).join(', ')}`] : []),
    // A browser cannot open them, and Grafana removes them from links.
    ...links.filter(({ copyOnly }) => copyOnly).map(({ key, url }) => `- ${markdownText(key)}: ${markdownText(url)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function servicesText(exposable: ManifestFacts['facts']['exposable']): string {
  const rows = exposable.map(({ name, port, service, description }) =>
    [name, String(port), service ?? '', description ?? ''].map(markdownText).join(' | ')
  );
  return [
    '| Name | Port | Service | Description |',
    '| --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
    '',
  ].join('\n');
}
