import type { AppEvents } from '@grafana/data';
import { getAppEvents } from '@grafana/runtime';

type Event = (typeof AppEvents)['alertError' | 'alertSuccess' | 'alertWarning'];

/** Shows a toast of Grafana. */
export const toast = ({ name: type }: Event, ...payload: string[]) => getAppEvents().publish({ type, payload });
