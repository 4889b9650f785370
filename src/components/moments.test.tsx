import { setTimeZoneResolver } from '@grafana/data';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { momentLabel } from './moments';

beforeEach(() => setTimeZoneResolver(() => 'utc'));
afterEach(() => setTimeZoneResolver(() => 'browser'));

it.each([
  ['2026-11-21T10:03:00Z', '10:03'],
  ['2026-11-22T10:03:00Z', '22 Nov, 10:03'],
  ['2027-11-21T10:03:00Z', '21 Nov 2027, 10:03'],
])('%s is %s', (moment, label) => expect(momentLabel(moment, Date.parse('2026-11-21T00:00:00Z'))).toBe(label));
