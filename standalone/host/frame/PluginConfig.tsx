import type { AppPlugin } from '@grafana/data';
import { Alert, Tab, TabsBar } from '@grafana/ui';
import { bootData } from '../bootData.ts';
import { HostPage } from './HostPage.tsx';

export const CONFIG_PAGE = `/plugins/${bootData.nodebell.app.id}`;

/** Stands in for Grafana's page of a plugin: its configuration, which Grafana shows to those who may change plugins. */
export function PluginConfig({ plugin }: { plugin: AppPlugin }) {
  const { name, info } = bootData.nodebell.app;
  const page = plugin.configPages?.[0];
  if (!page || !bootData.user.permissions?.['plugins:write']) {
    return <Alert severity="error" title="You do not have permission to see this page" />;
  }
  const Body = page.body;
  return (
    <HostPage pageNav={{ text: name, subTitle: info.description }}>
      <TabsBar>
        <Tab label={page.title} icon={page.icon ?? 'cog'} active />
      </TabsBar>
      <div style={{ paddingTop: 24 }}>
        <Body plugin={plugin} query={{}} />
      </div>
    </HostPage>
  );
}
