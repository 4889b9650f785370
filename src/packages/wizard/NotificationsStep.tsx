import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { Endpoints } from '../Endpoints';
import type { Wizard } from './useWizard';

/** What the package's notifications file defines. */
export function NotificationsStep({ wizard }: { wizard: Wizard }) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.column}>
      <p className={styles.quiet}>
        As the package ships it. What a category tells you of can be muted in the inbox at any time.
      </p>
      <Endpoints endpoints={wizard.draft.preview?.notifications ?? []} />
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  column: css({ maxWidth: 760 }),
  quiet: css({ color: theme.colors.text.secondary, margin: 0 }),
});
