import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2, useTheme2 } from '@grafana/ui';
import { useState } from 'react';
import { locale } from '../i18n/locale';
import { type BridgeIcon, useIcon } from './icons';
import { shortName } from './messages';

const COLORS = [
  'dark-blue',
  'dark-green',
  'dark-purple',
  'dark-orange',
  'dark-red',
  'semi-dark-blue',
  'semi-dark-purple',
];

function colorFor(name: string): string {
  let sum = 0;
  for (const character of name) {
    sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  }
  return COLORS[sum % COLORS.length] ?? 'dark-blue';
}

interface Props {
  icon: BridgeIcon | undefined;
  dnpName: string;
  size: 24 | 28 | 32 | 40 | 56;
  /** A CSS filter that has been checked. */
  filter?: string | undefined;
}

/**
 * The sender's icon, or the first letter of its name. Decorative: the name stands beside it. The only element of the plugin with an
 * image that somebody else chose: its `src` is what the bridge served, never an address.
 */
export function Avatar({ icon, dnpName, size, filter }: Props) {
  const theme = useTheme2();
  const styles = useStyles2(getStyles);
  const image = useIcon(icon);
  const [failed, setFailed] = useState<string>();
  if (image !== undefined && failed !== image) {
    return (
      <img
        className={styles.box}
        src={image}
        alt=""
        width={size}
        height={size}
        style={{ filter }}
        onError={() => setFailed(image)}
      />
    );
  }
  const background = theme.visualization.getColorByName(colorFor(dnpName));
  const letter = [...shortName(dnpName)].find((character) => /[\p{L}\p{N}]/u.test(character)) ?? '?';
  return (
    <span
      className={styles.box}
      aria-hidden
      style={{
        fontSize: Math.max(12, size * 0.36),
        width: size,
        height: size,
        filter,
        backgroundColor: background,
        color: theme.colors.getContrastText(background, 4.5),
      }}
    >
      {letter.toLocaleUpperCase(locale())}
    </span>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  box: css({
    display: 'flex',
    flex: 'none',
    alignItems: 'center',
    justifyContent: 'center',
    borderRadius: theme.shape.radius.default,
    objectFit: 'cover',
    fontSize: theme.typography.bodySmall.fontSize,
    fontWeight: theme.typography.fontWeightMedium,
    overflow: 'hidden',
  }),
});
