import { Dropdown, IconButton, LinkButton, Menu } from '@grafana/ui';
import type { PackageDetail } from '@nodebell/contract/package.ts';
import { mayChange } from '../../parts/access';
import { linkProps } from '../../parts/links';
import { pathTo } from '../../routes';

interface Props {
  detail: PackageDetail;
  onRemove: () => void;
}

/** What can be done with a package. What a file provisions is changed in the file. */
export function PackageActions({ detail, onRemove }: Props) {
  const { dnpName, origin } = detail;
  if (!mayChange() || origin.kind === 'file') {
    return null;
  }
  return (
    <>
      <LinkButton variant="secondary" icon="arrow-up" {...linkProps(pathTo.updatePackage(dnpName))}>
        Update
      </LinkButton>
      <Dropdown
        placement="bottom-end"
        overlay={
          <Menu ariaLabel="More actions">
            <Menu.Item label="Remove…" icon="trash-alt" destructive onClick={onRemove} />
          </Menu>
        }
      >
        <IconButton name="ellipsis-v" size="lg" aria-label="More actions" />
      </Dropdown>
    </>
  );
}
