import { css } from '@emotion/css';
import { Icon, Text, type IconName } from '@grafana/ui';
import type { StateSign } from './words';

/** A state is always a sign and a word. Resolved keeps its word grey: it asks for nothing. */
export function StateText({ icon, tone, text }: { icon: IconName; tone: StateSign['tone']; text: string }) {
  return (
    <span className={box}>
      <Text color={tone} variant="bodySmall">
        <Icon name={icon} size="sm" />
      </Text>
      <Text color={tone === 'error' ? 'error' : 'secondary'} variant="bodySmall" truncate>
        {text}
      </Text>
    </span>
  );
}

const box = css({ display: 'inline-flex', alignItems: 'center', gap: 4, minWidth: 0, flex: 'none', maxWidth: '100%' });
