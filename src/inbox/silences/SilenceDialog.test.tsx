import type { NotificationDetail } from '@nodebell/contract/notification.ts';
import { NODEBELL } from '@nodebell/contract/silence.ts';
import { expect, it, vi } from 'vitest';
import { delayed, fireEvent, httpError, render, screen, serveBridge, signIn } from '../../component.testing';
import { aNotification } from '../inbox.testing';
import SilenceDialog from './SilenceDialog';

/** An alert that was sent to the bridge as an Alertmanager. */
const ROW = aNotification({ id: 1, source: 'alertmanager', correlationId: 'down' });
const DETAIL: NotificationDetail = {
  ...ROW,
  members: [ROW],
  alert: { labels: { alertname: 'Down' } },
};

it('takes no changes while it is saved, since they would be lost', async () => {
  signIn(['nodebell-notifications-app.inbox:write']);
  const saving = delayed({ id: 's' });
  serveBridge((path, { method }) => {
    if (path.startsWith('/api/')) {
      throw httpError(404);
    }
    if (method === 'POST') {
      return path.endsWith('/silences') ? saving.promise : { alerts: 3 };
    }
    return { alertmanagers: [{ id: NODEBELL, name: 'Nodebell' }], silences: [] };
  });
  const onClose = vi.fn();
  render(<SilenceDialog detail={DETAIL} ofRule={false} onClose={onClose} />);
  const comment = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /Comment/ });
  const value = screen.getByRole<HTMLInputElement>('textbox', { name: 'Value' });
  fireEvent.change(comment, { target: { value: 'x' } });
  const submit = screen.getByRole<HTMLButtonElement>('button', { name: /^Silence until/ });
  fireEvent.click(submit);
  await vi.waitFor(() => expect(submit.ariaBusy).toBe('true'));
  fireEvent.change(comment, { target: { value: 'xy' } });
  fireEvent.change(value, { target: { value: 'Up' } });
  expect([comment.value, value.value]).toEqual(['x', 'Down']);
  await saving.release();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

it('keeps the comment when the counts select another Alertmanager', async () => {
  signIn(['nodebell-notifications-app.inbox:write']);
  const counted = delayed({ alerts: 3 });
  serveBridge((path, { method, data }) => {
    if (path.startsWith('/api/')) {
      throw httpError(404);
    }
    if (method === 'POST') {
      return (data as { alertmanager: string }).alertmanager === 'second' ? counted.promise : { alerts: 0 };
    }
    const alertmanagers = ['first', 'second'].map((name) => ({ id: name, name }));
    return { alertmanagers, silences: [] };
  });
  const alert = { ...DETAIL.alert!, alertmanagerUrl: 'http://alertmanager.example' };
  render(<SilenceDialog detail={{ ...DETAIL, alert }} ofRule={false} onClose={vi.fn()} />);
  const comment = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /Comment/ });
  fireEvent.change(comment, { target: { value: 'disk is being replaced' } });
  await counted.release();
  await screen.findByText('Covers 3 firing alerts now');
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: /Comment/ }).value).toBe('disk is being replaced');
});
