import type { NavModelItem } from '@grafana/data';
import { BehaviorSubject } from 'rxjs';

/** What the page that is open calls itself. It renders inside the frame but is named in the frame's breadcrumbs. */
export const openPage = new BehaviorSubject<NavModelItem | undefined>(undefined);
