import { Dropdown, Menu } from '@grafana/ui';
import { useMutation } from '@tanstack/react-query';
import type { ReportRow } from '@nodebell/contract/report.ts';
import { categoriesQuery, setCategory } from '../api/notifications';
import { may } from '../api/permissions';
import { linkProps } from '../components/links';
import { categoryName, menuName } from '../components/messages';
import { t } from '../i18n/t';
import { linksOf } from './actions';
import { SmallButton } from '../components/SmallButton';

interface Props {
  row: ReportRow;
  name: string;
  /** Whether its category is on; undefined: it is about none. */
  enabled: boolean | undefined;
}

/** Actions for a row: show, mute, silence, move the threshold. */
export function RowMenu({ row, name, enabled }: Props) {
  const { category } = row;
  const switching = useMutation({
    mutationFn: (next: boolean) => setCategory(category ?? '', next),
    meta: {
      failure: t('report.menu.not-switched', 'Could not switch the category'),
      rereads: [categoriesQuery().queryKey],
    },
  });
  const links = linksOf(row);
  const short = menuName(categoryName(category ?? ''));
  const label = t('report.menu.label', 'Actions: {{name}}', { name });
  return (
    <Dropdown
      placement="bottom-end"
      overlay={() => (
        <Menu ariaLabel={label}>
          {links.inbox !== undefined && (
            <Link icon="bell" label={t('report.menu.inbox', 'Show in inbox')} to={links.inbox} />
          )}
          <Link icon="clock-nine" label={t('report.menu.newest', 'Newest notification')} to={links.newest} />
          <Menu.Divider />
          {links.silence !== undefined && (
            <Link
              icon="bell-slash"
              label={t('report.menu.silence', 'Silence')}
              description={t('report.menu.silence-text', 'All alerts of this rule, at their source')}
              to={links.silence}
            />
          )}
          {enabled !== undefined && category !== undefined && may('inbox:write') && (
            <Menu.Item
              icon={enabled ? 'eye-slash' : 'bell'}
              label={
                enabled
                  ? t('report.menu.mute-category', 'Mute the category {{name}}', { name: short })
                  : t('report.menu.unmute-category', 'Unmute the category {{name}}', { name: short })
              }
              onClick={() => switching.mutate(!enabled)}
            />
          )}
          {links.rule !== undefined && may('thresholds:read') && (
            <Link icon="sliders-v-alt" label={t('report.menu.rule', 'Threshold of the rule')} to={links.rule} />
          )}
          {links.thresholds !== undefined && may('thresholds:read') && (
            <Link
              icon="sliders-v-alt"
              label={t('report.menu.thresholds', 'Mute the package, or move its thresholds')}
              to={links.thresholds}
            />
          )}
        </Menu>
      )}
    >
      <SmallButton fill="text" icon="ellipsis-v" aria-label={label} />
    </Dropdown>
  );
}

interface LinkProps {
  icon: 'bell' | 'clock-nine' | 'bell-slash' | 'sliders-v-alt';
  label: string;
  description?: string;
  to: string;
}

function Link({ to, ...item }: LinkProps) {
  const { href, onClick } = linkProps(to) ?? {};
  return (
    <Menu.Item
      {...item}
      {...(href && { url: href })}
      {...(onClick && { onClick: (event) => event && onClick(event) })}
    />
  );
}
