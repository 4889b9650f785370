import { Button, Dropdown, Menu } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { NotificationDetail } from '@nodebell/contract/notification.ts';
import type { Silence } from '@nodebell/contract/silence.ts';
import { maySilence, type Through } from '../../api/silences';
import { afterMenu } from '../../components/afterMenu';
import { momentLabel } from '../../components/moments';
import { useNow } from '../../components/timers';
import { t } from '../../i18n/t';
import { DURATIONS, durationLabel } from './durations';
import { isAlert, silencesQuery, useSilencesOf, useSilencing } from './useSilences';

const SilenceDialog = lazy(() => import(/* webpackChunkName: "silence" */ './SilenceDialog'));

interface Props {
  detail: NotificationDetail;
  disabled: boolean;
}

/**
 * Silences the alert of a thread at its source; if it is silenced already, extends or ends that. A link with `silence=rule` opens the dialog
 * for all alerts of the rule.
 */
export function SilenceButton({ detail, disabled }: Props) {
  const [search, setSearch] = useSearchParams();
  const linked = search.get('silence') === 'rule';
  const [opened, setOpen] = useState(false);
  const { data } = useQuery({ ...silencesQuery(), enabled: isAlert(detail) });
  const [active] = useSilencesOf(detail);
  if (!isAlert(detail)) {
    return null;
  }
  const show = () => setOpen(true);
  const close = () => {
    setOpen(false);
    if (linked) {
      search.delete('silence');
      setSearch(search, { replace: true });
    }
  };
  return (
    <>
      {active && data && maySilence(data.through, active.alertmanager) ? (
        <ActiveSilence silence={active} through={data.through} onMore={show} {...{ detail, disabled }} />
      ) : (
        <Button variant="secondary" icon="bell-slash" disabled={disabled} data-respond="silence" onClick={show}>
          {t('inbox.silence.silence', 'Silence')}
        </Button>
      )}
      {(opened || linked) && (
        <Suspense fallback={null}>
          <SilenceDialog detail={detail} ofRule={linked} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

interface ActiveProps extends Props {
  silence: Silence;
  through: Through;
  onMore: () => void;
}

function ActiveSilence({ detail, silence, through, disabled, onMore }: ActiveProps) {
  const now = useNow();
  const { save, end } = useSilencing(detail.id, through);
  const { alertmanager, matchers, comment } = silence;
  const extend = (hours: number) =>
    save.mutate({
      alertmanager,
      matchers,
      silence,
      until: new Date(Date.parse(silence.until) + hours * 3_600_000).toISOString(),
      // An Alertmanager accepts none, the API of the bridge does not.
      comment: comment.trim() === '' ? t('inbox.silence.extended', 'Extended') : comment,
    });
  const menu = () => (
    <Menu ariaLabel={t('inbox.silence.silence', 'Silence')}>
      {DURATIONS.map((hours) => (
        <Menu.Item
          key={hours}
          label={t('inbox.silence.extend', 'Extend by {{time}}', { time: durationLabel(hours) })}
          icon="clock-nine"
          onClick={() => extend(hours)}
        />
      ))}
      <Menu.Item label={t('inbox.silence.end', 'End silence')} icon="bell" onClick={() => end.mutate(silence)} />
      <Menu.Divider />
      <Menu.Item
        label={t('inbox.silence.another', 'Another silence')}
        icon="bell-slash"
        onClick={() => afterMenu(onMore)}
      />
    </Menu>
  );
  return (
    <Dropdown overlay={menu} placement="bottom-start">
      <Button
        variant="secondary"
        icon="bell-slash"
        disabled={disabled || save.isPending || end.isPending}
        data-respond="silence"
      >
        {t('inbox.silence.until', 'Silenced until {{time}}', { time: momentLabel(silence.until, now) })}
      </Button>
    </Dropdown>
  );
}
