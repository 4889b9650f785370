import { Dropdown, IconButton, Menu } from '@grafana/ui';
import { usePluginLinks } from '../extensions.tsx';

const PALETTE = 'grafana/commandpalette/action';

/**
 * Stands in for the command palette: the same entries in a menu, without the search. As in Grafana 12.4, selecting an entry only runs
 * its `onClick`: the navigation of the link itself is prevented.
 */
export function Commands() {
  const { links } = usePluginLinks({ extensionPointId: PALETTE });
  const menu = (
    <Menu ariaLabel="Commands">
      {links.map(({ id, title, icon, onClick }) => (
        <Menu.Item key={id} label={title} icon={icon ?? 'bolt'} onClick={() => onClick?.()} />
      ))}
    </Menu>
  );
  return (
    <Dropdown overlay={menu} placement="bottom-end">
      <IconButton name="keyboard" size="lg" aria-label="Commands" />
    </Dropdown>
  );
}
