import { getTimeZone } from '@grafana/data';

/** The time zone of the user. */
export function ownZone(): string {
  const zone = getTimeZone();
  return zone === 'browser' || zone === ''
    ? new Intl.DateTimeFormat().resolvedOptions().timeZone
    : zone === 'utc'
      ? 'UTC'
      : zone;
}
