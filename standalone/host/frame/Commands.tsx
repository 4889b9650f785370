import { Dropdown, IconButton, Menu } from '@grafana/ui';
import { useEffect, useState } from 'react';
import { extending, linksAt, type PointLink } from '../extensions.ts';
import { useOpenModal } from './useOpenModal.tsx';

const PALETTE = 'grafana/commandpalette/action';

/**
 * Stands in for the command palette: the same entries in a menu, without the search. As in Grafana 12.4, selecting an entry only runs
 * its `onClick`: the navigation of the link itself is prevented.
 */
export function Commands() {
  const [links, setLinks] = useState<PointLink[]>([]);
  useEffect(() => {
    const subscription = extending.subscribe((plugin) => setLinks(plugin ? linksAt(plugin, PALETTE, {}) : []));
    return () => subscription.unsubscribe();
  }, []);
  const openModal = useOpenModal();
  const menu = (
    <Menu ariaLabel="Commands">
      {links.map(({ title, icon, click }) => (
        <Menu.Item key={title} label={title} icon={icon ?? 'bolt'} onClick={() => click?.(openModal)} />
      ))}
    </Menu>
  );
  return (
    <Dropdown overlay={menu} placement="bottom-end">
      <IconButton name="keyboard" size="lg" aria-label="Commands" />
    </Dropdown>
  );
}
