/** Built to `sw.js`, a plain script, since browsers load a service worker as one. */
import { type Action, createWorker, type WorkerScope } from './worker';

interface WorkerEvents {
  install: WorkerEvent;
  activate: WorkerEvent;
  push: WorkerEvent & { data: { text(): string } | null };
  notificationclick: WorkerEvent & { notification: Notification; action: Action };
  pushsubscriptionchange: WorkerEvent & { newSubscription?: PushSubscription | null };
}
type WorkerEvent = Event & { waitUntil(work: Promise<unknown>): void };

const scope = self as unknown as WorkerScope & {
  addEventListener<T extends keyof WorkerEvents>(type: T, listener: (event: WorkerEvents[T]) => void): void;
};
/** Exported, so that a test can click: what a script dispatches is not trusted. */
export const worker = createWorker(Object.assign(scope, { fetch: scope.fetch.bind(scope) }));

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener('push', (event) => event.waitUntil(worker.push(event.data?.text())));
scope.addEventListener('notificationclick', (event) => event.waitUntil(worker.click(event.notification, event.action)));
scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(worker.change(event.newSubscription)));
