import type { Dialog } from '../PageMenu';
import { CategoriesDrawer } from './CategoriesDrawer';
import { ChannelsModal } from './ChannelsModal';
import { ShortcutsModal } from './ShortcutsModal';

interface Props {
  dialog: Dialog | undefined;
  disabled: boolean;
  onSwitch: ((category: string, enabled: boolean) => void) | undefined;
  onClose: () => void;
}

export function Dialogs({ dialog, disabled, onSwitch, onClose }: Props) {
  switch (dialog) {
    case 'categories':
      return <CategoriesDrawer disabled={disabled} onSwitch={onSwitch} onClose={onClose} />;
    case 'channels':
      return <ChannelsModal onDismiss={onClose} />;
    case 'shortcuts':
      return <ShortcutsModal onDismiss={onClose} />;
    default:
      return null;
  }
}
