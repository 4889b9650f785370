import { locationUtil } from '@grafana/data';
import { locationService } from '@grafana/runtime';
import { Dropdown, IconButton, Menu } from '@grafana/ui';
import { useEffect, useState } from 'react';
import { extending, linksAt, type PointLink } from '../extensions.ts';
import { useOpenModal } from './useOpenModal.tsx';

const PALETTE = 'grafana/commandpalette/action';

/** Stands in for the command palette: the same entries in a menu, without the search. As there, they are asked for once. */
export function Commands() {
  const [links, setLinks] = useState<PointLink[]>([]);
  useEffect(() => {
    const subscription = extending.subscribe((plugin) => setLinks(plugin ? linksAt(plugin, PALETTE, {}) : []));
    return () => subscription.unsubscribe();
  }, []);
  const openModal = useOpenModal();
  const open = ({ path, click }: PointLink) => {
    if (path) {
      locationService.push(locationUtil.stripBaseFromUrl(path));
    }
    click?.(openModal);
  };
  const menu = (
    <Menu ariaLabel="Commands">
      {links.map((link) => (
        <Menu.Item key={link.title} label={link.title} icon={link.icon ?? 'bolt'} onClick={() => open(link)} />
      ))}
    </Menu>
  );
  return (
    <Dropdown overlay={menu} placement="bottom-end">
      <IconButton name="keyboard" size="lg" aria-label="Commands" />
    </Dropdown>
  );
}
