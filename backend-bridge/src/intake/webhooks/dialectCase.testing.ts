/** A request of another program, and the notification that it becomes. */
import type { dialectsOf } from './dialects.ts';

export type Name = keyof ReturnType<typeof dialectsOf>;

/** A request besides its body. */
export interface Given {
  params?: Record<string, string>;
  headers?: Record<string, string>;
  query?: string;
  form?: Record<string, string>;
}

export type Case = [title: string, dialect: Name, body: unknown, given: Given | undefined, expected: object];
