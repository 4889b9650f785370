/** A client of the event stream that parses it like a browser. */
import { createParser } from 'eventsource-parser';
import type { Json, TestBridge } from './support.ts';

export interface Heard {
  id: number;
  type: string;
  data: Json;
}

export class Listener {
  readonly heard: Heard[] = [];
  readonly ended: Promise<void>;
  readonly #stop = new AbortController();
  #wake: () => void = () => undefined;

  private constructor(response: Response) {
    const parser = createParser({
      onEvent: ({ id, event, data }) => {
        this.heard.push({ id: Number(id), type: event ?? 'message', data: JSON.parse(data) });
        this.#wake();
      },
    });
    this.ended = this.#read(response, (text) => parser.feed(text)).finally(() => this.#wake());
  }

  static async connect(
    bridge: TestBridge,
    lastEventId?: number | string,
    headers: Record<string, string> = {}
  ): Promise<Listener> {
    const stop = new AbortController();
    const response = await fetch(`${bridge.url}/api/v1/events`, {
      headers: {
        ...bridge.authorization,
        ...headers,
        ...(lastEventId !== undefined && { 'Last-Event-ID': String(lastEventId) }),
      },
      signal: stop.signal,
    });
    if (!response.ok || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
      throw new Error(`no event stream: ${response.status} ${await response.text()}`);
    }
    const listener = new Listener(response);
    listener.#stop.signal.addEventListener('abort', () => stop.abort());
    return listener;
  }

  async #read(response: Response, feed: (text: string) => void): Promise<void> {
    const decoder = new TextDecoder();
    try {
      const reader = response.body!.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        feed(decoder.decode(part.value, { stream: true }));
      }
    } catch {
      // Cut off, by the bridge or by `close`: a browser would come back.
    }
  }

  /** Resolves after this many events, or at the first that matches; rejects if the stream ends before. */
  async until(enough: number | ((heard: Heard) => boolean)): Promise<Heard[]> {
    const is = typeof enough === 'number' ? () => this.heard.length >= enough : () => this.heard.some(enough);
    let over = false;
    // It may have ended already; then no event would resolve this.
    void this.ended.then(() => ((over = true), this.#wake()));
    while (!is()) {
      if (over) {
        throw new Error(`the stream ended after ${JSON.stringify(this.heard).slice(0, 500)}`);
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
      await Promise.resolve();
    }
    return this.heard;
  }

  get types(): string[] {
    return this.heard.map(({ type }) => type);
  }
  get lastId(): number {
    return this.heard.at(-1)!.id;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.ended;
  }
}
