/** Path under which Alertmanager's API v2 is served; clients are given the part before `/api/v2`. */
export const ALERTMANAGER_BASE = '/alertmanager/api/v2';
