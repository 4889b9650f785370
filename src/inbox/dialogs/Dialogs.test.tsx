import { MemoryRouter } from 'react-router-dom';
import { expect, it } from 'vitest';
import { render, screen, serveBridge, signIn } from '../../component.testing';
import Dialogs from './Dialogs';

function renderChannels() {
  serveBridge((path) => {
    switch (path) {
      case '/push/key':
        return { publicKey: 'AAAA' };
      case '/push/devices':
        return { devices: [] };
      default:
        return { quietHours: [{ from: '22:00', to: '07:00' }], passing: 'critical' };
    }
  });
  render(
    <MemoryRouter>
      <Dialogs dialog="channels" disabled={false} onSwitch={undefined} onClose={() => undefined} />
    </MemoryRouter>
  );
}

it('a Viewer sees their own devices and quiet hours, and no link to what is not theirs', async () => {
  signIn(['nodebell-notifications-app.push:own']);
  renderChannels();
  expect(await screen.findByText('22:00–07:00 (UTC)')).toBeDefined();
  expect(screen.queryByRole('link')).toBeNull();
});

it('an Admin finds the page Channels', async () => {
  signIn(['nodebell-notifications-app.push:own', 'nodebell-notifications-app.bridge:admin']);
  renderChannels();
  expect((await screen.findByRole('link', { name: /^Channels for everyone/ })).getAttribute('href')).toMatch(
    /\/channels$/
  );
});
