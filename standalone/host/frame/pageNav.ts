import type { NavModelItem } from '@grafana/data';
import { BehaviorSubject } from 'rxjs';

/** The title of the open page, shown in the frame's breadcrumbs. */
export const openPage = new BehaviorSubject<NavModelItem | undefined>(undefined);
