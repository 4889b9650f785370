import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Dropdown, Menu, useStyles2 } from '@grafana/ui';
import { bootData } from '../bootData.ts';

const PEOPLE = ['Admin', 'Editor', 'Viewer', 'Anonymous'];
const THEMES = ['dark', 'light'];

/** The server remembers the choice and sends the browser back to the same page without the parameter. */
function reloadWith(name: string, value: string) {
  const url = new URL(window.location.href);
  url.searchParams.set(name, value);
  window.location.assign(url);
}

function Choices({ name, values, current }: { name: string; values: string[]; current: string }) {
  return values.map((value) => (
    <Menu.Item
      key={value}
      label={`${value[0]?.toUpperCase()}${value.slice(1)}`}
      icon={value === current ? 'check' : 'circle'}
      active={value === current}
      onClick={() => reloadWith(name, value)}
    />
  ));
}

export function UserMenu() {
  const styles = useStyles2(getStyles);
  const { user } = bootData;
  const who = user.isSignedIn ? user.orgRole : 'Anonymous';
  const name = user.isSignedIn ? user.name : who;
  const menu = (
    <Menu header={<div>{user.isSignedIn ? `Signed in as ${name}` : 'Not signed in'}</div>}>
      <Menu.Group label="Role">
        <Choices name="role" values={PEOPLE} current={who} />
      </Menu.Group>
      <Menu.Group label="Theme">
        <Choices name="theme" values={THEMES} current={user.theme} />
      </Menu.Group>
    </Menu>
  );
  return (
    <Dropdown overlay={menu} placement="bottom-end">
      <button className={styles.avatar} aria-label={`User menu: ${name}`}>
        {name[0]}
      </button>
    </Dropdown>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  avatar: css({
    flexShrink: 0,
    width: theme.spacing(3),
    height: theme.spacing(3),
    border: 'none',
    borderRadius: theme.shape.radius.circle,
    background: theme.visualization.getColorByName('semi-dark-purple'),
    color: theme.colors.getContrastText(theme.visualization.getColorByName('semi-dark-purple')),
    fontSize: theme.typography.bodySmall.fontSize,
  }),
});
