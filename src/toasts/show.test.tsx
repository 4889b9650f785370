import { type getAppEvents, setAppEvents } from '@grafana/runtime';
import { isValidElement } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { render, screen } from '../component.testing';
import { aNotification } from '../inbox/inbox.testing';
import { show } from './show';

let payloads: unknown[][] = [];

beforeEach(() => {
  payloads = [];
  const publish = ({ payload }: { payload: unknown[] }) => void payloads.push(payload);
  setAppEvents({ publish } as unknown as ReturnType<typeof getAppEvents>);
});

const critical = (id: number, change = {}) => aNotification({ id, priority: 'critical', ...change });

/** The title, the text, and the link of each toast. */
const toasts = () =>
  payloads.map(([title, text, , element]) => {
    const { unmount } = render(isValidElement(element) ? element : <></>);
    const href = screen.getByRole('link').getAttribute('href');
    unmount();
    return [title, text, href];
  });

it('one for each notification, with sender, plain text and a link', () => {
  show([
    critical(7, {
      title: 'The node is **down**',
      body: 'No `block` for 10 minutes.',
      dnpName: 'geth.dnp.dappnode.eth',
    }),
  ]);
  expect(toasts()).toEqual([
    ['Critical: The node is **down**', 'geth: No block for 10 minutes.', '/a/nodebell-notifications-app/inbox?id=7'],
  ]);
});

it('many at once are summarised in one', () => {
  show([1, 2, 3, 4, 5].map((id) => critical(id, { title: `Down ${id}` })));
  expect(toasts()).toEqual([
    [
      '5 new critical notifications',
      'Down 1, Down 2, Down 3, Down 4, Down 5',
      '/a/nodebell-notifications-app/inbox?priority=critical',
    ],
  ]);
});

it('three are not summarised', () => {
  show([critical(1), critical(2), critical(3)]);
  expect(toasts()).toHaveLength(3);
});

it('long titles and bodies are cut', () => {
  show([critical(1, { title: 'word '.repeat(100), body: 'word '.repeat(100) })]);
  const [[title, text]] = toasts() as [[string, string]];
  expect([title.length <= 110, text.length <= 200, text.endsWith('…')]).toEqual([true, true, true]);
});
