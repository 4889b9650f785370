/** Requests to the bridge's own Alertmanager in the form that Grafana's have. */
import { amSilenceBodySchema } from '../../../contract/alertmanager.ts';
import type { SendToGrafana } from '../../../contract/silence.ts';
import { shownAlerts, shownSilences } from '../../intake/alertmanager/routes.ts';
import type { AlertmanagerService } from '../../intake/alertmanager/service.ts';

/** Changes are audited by the caller, with the notification. */
export const sendToOwn =
  (service: AlertmanagerService, now: () => number): SendToGrafana =>
  async (method, path, body) => {
    await service.sync();
    const { pathname, searchParams } = new URL(path, 'http://nodebell');
    const [subject, id] = pathname.split('/').slice(6);
    switch (`${method} ${subject}`) {
      case 'GET alerts': {
        const is = (name: string): boolean => searchParams.get(name) !== 'false';
        const shown = { active: is('active'), silenced: is('silenced'), inhibited: is('inhibited') };
        return shownAlerts(service, { ...shown, filter: searchParams.getAll('filter') });
      }
      case 'GET silences':
        return shownSilences(service.silences, now());
      case 'POST silences':
        return { silenceID: await service.silences.set(amSilenceBodySchema.parse(body), undefined) };
      case 'DELETE silence':
        return service.silences.end(decodeURIComponent(id ?? ''), undefined);
      default:
        throw new Error(`The bridge's Alertmanager has no ${method} ${pathname}.`);
    }
  };
