/** Threads, described member by member. */
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import { DAY, type Payload, SECOND, type TestBridge } from './support.ts';

export const DISK = { dnpName: 'dms.dnp', correlationId: 'disk', category: 'hardware' };
export const OPENED = { ...DISK, status: 'triggered' };
export const CLOSED = { ...DISK, status: 'resolved' };
export const EVENT = { ...DISK };

export function storiesOf(bridge: () => TestBridge) {
  const threadOf = async ({ id }: { id: number }) => (await bridge().get(id)).thread;
  const openIds = async (): Promise<number[]> => (await bridge().list('open=true')).map(({ id }) => id);
  /** The page's query for banners. */
  const banners = async (): Promise<number[]> => {
    const from = encodeURIComponent(new Date(bridge().clock.now - 30 * DAY).toISOString());
    return (await bridge().list(`latest=true&isBanner=true&seen=false&status=triggered&from=${from}`)).map(
      ({ id }) => id
    );
  };

  /** Ten seconds apart. */
  async function story(...payloads: Payload[]): Promise<Notification[]> {
    const sent: Notification[] = [];
    for (const payload of payloads) {
      bridge().clock.advance(10 * SECOND);
      sent.push(await bridge().send(payload));
    }
    return sent;
  }

  return { threadOf, openIds, banners, story };
}
