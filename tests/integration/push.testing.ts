/** Persons with devices at a push service that decrypts what it gets, and a bridge. */
import { expect, onTestFinished, vi } from 'vitest';
import type { Device, DeviceList, PushKey } from '../../backend-bridge/contract/push.ts';
import { PushService } from '../../backend-bridge/src/delivery/push/pushService.testing.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';
import { Folder, type Provisioned } from './provisioning.testing.ts';

export const CHANNEL = "channels: [{ name: browsers, type: webpush, subject: 'mailto:admin@example.org' }]";
export const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 20 });

export class World {
  readonly running: Provisioned;
  readonly service: PushService;
  readonly #folder: Folder;
  private constructor(folder: Folder, running: Provisioned, service: PushService) {
    this.#folder = folder;
    this.running = running;
    this.service = service;
  }

  static async start(file = CHANNEL): Promise<World> {
    const service = await PushService.start();
    onTestFinished(() => service.close());
    const files = await Folder.make({ 'reach.yaml': `apiVersion: 1\n${file}` });
    return new World(files, await files.start({}, { outboundAllow: ['127.0.0.1'] }), service);
  }

  /** Opens the same world on another store. */
  async onStore(dataDir: string): Promise<World> {
    const running = await this.#folder.start({}, { outboundAllow: ['127.0.0.1'], dataDir });
    return new World(this.#folder, running, this.service);
  }

  request(login: string, method: string, path: string, body?: unknown) {
    return this.running.bridge.request<never>(
      method,
      `/api/v1${path}`,
      body,
      fromGrafana(login, { OrgRole: 'Viewer' })
    );
  }
  async call<T>(login: string, method: string, path: string, body?: unknown): Promise<T> {
    const { status, body: response } = await this.request(login, method, path, body);
    expect(status, `${method} ${path}: ${JSON.stringify(response)}`).toBeLessThan(300);
    return response;
  }
  async subscription(token: string) {
    const { publicKey } = await this.call<PushKey>('anna', 'GET', '/push/key');
    return { ...(await this.service.subscribe(token, publicKey!)), key: publicKey };
  }
  /** A new device of this person. */
  async device(login: string, token: string): Promise<Device> {
    return this.call(login, 'POST', '/push/devices', {
      ...(await this.subscription(token)),
      name: `${token} of ${login}`,
    });
  }
  async devices(login: string): Promise<Device[]> {
    return (await this.call<DeviceList>(login, 'GET', '/push/devices')).devices;
  }
  async send(payload: object): Promise<number> {
    const { body } = await this.running.bridge.post({
      title: 'Disk full',
      body: 'of /data',
      dnpName: 'geth',
      ...payload,
    });
    return (body as { id: number }).id;
  }
  /** Notifications shown on a device, and the messages that closed them. */
  shown(token: string): string[] {
    return this.service.accepted.flatMap((one) =>
      one.token !== token ? [] : 'close' in one.payload ? `close ${one.payload.close.join()}` : one.payload.title
    );
  }
}
