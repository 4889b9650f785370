import { Badge } from '@grafana/ui';
import { useEffect, useState } from 'react';
import { t } from '../i18n/t';

/** A reconnection is usually so quick that nobody needs to know. */
const PATIENCE_MS = 4000;

/** Says that the page asks instead of being told. */
export function LiveBadge({ cut }: { cut: boolean }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(cut), cut ? PATIENCE_MS : 0);
    return () => clearTimeout(timer);
  }, [cut]);
  return shown && cut ? (
    <Badge
      color="orange"
      icon="sync"
      text={t('parts.live.checking', 'Polling every 10 s')}
      tooltip={t('parts.live.cut', 'The live connection was lost. The page polls for updates until it is restored.')}
    />
  ) : null;
}
