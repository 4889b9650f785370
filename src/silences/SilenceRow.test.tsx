import { beforeEach, expect, it } from 'vitest';
import { waitFor } from '@testing-library/react';
import { screen, signIn } from '../component.testing';
import { absoluteTime } from '../components/moments';
import { click, HOUR, iso, names, renderPage, SILENCE, soon } from './silences.testing';

beforeEach(() => signIn(['nodebell-notifications-app.inbox:write']));

it('extends and ends a silence, and renews one that has expired, with who and why', async () => {
  const ended = {
    ...SILENCE,
    id: 's0',
    comment: 'Router',
    until: iso(Date.now() - HOUR),
    state: 'expired',
    alerts: [],
  };
  const pending = { ...SILENCE, id: 's2', comment: 'Later', startsAt: soon, state: 'pending', alerts: [] };
  const sent = renderPage({ windows: [], rules: [] }, '/', () => ({ id: 's1' }), [SILENCE, ended, pending]);
  await screen.findByRole('listitem', { name: 'Known noise' });
  expect(names()).toEqual(['Known noise', 'Later']);
  expect(screen.getByTitle(absoluteTime(soon)).textContent).toMatch(/Starts /);
  const changed = (id: string, until: unknown) =>
    waitFor(() => expect(sent).toHaveBeenCalledWith('PUT', `/silences/${id}`, { alertmanager: 'nodebell', until }));
  click('Extend Known noise by 1 h');
  await changed('s1', iso(Date.parse(SILENCE.until) + HOUR));
  click('End Known noise now');
  await changed('s1', null);
  click(/Expired \(1\)/);
  expect((await screen.findByRole('listitem', { name: 'Router' })).textContent).toMatch(/Ended .*by otto/);
  expect(screen.getByRole('listitem', { name: 'Router' }).textContent).not.toMatch(/silenced/);
  click('Renew Router for 1 h');
  await changed('s0', expect.stringMatching(/Z$/));
});
