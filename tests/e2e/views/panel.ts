import { type Locator, type Page } from '@playwright/test';
import type { OpenOptions } from '../support/views/frame.ts';

interface Size {
  /** In columns of a dashboard, which has 24. */
  w: number;
  /** In rows of a dashboard. */
  h: number;
}

/** One panel, as large as it would be on a dashboard. */
export class Panel {
  readonly page: Page;
  readonly id: string;
  /** Content of the panel inside its frame. */
  readonly content: Locator;

  constructor(page: Page, id: string, name: string) {
    this.page = page;
    this.id = id;
    this.content = page.getByRole('region', { name, exact: true });
  }

  /** @param choices the user's, and those of a dashboard: `from`, `to`, `var-<name>`, `links` */
  async open(
    options: object = {},
    { w = 8, h = 8 }: Partial<Size> = {},
    choices: OpenOptions & Record<string, string> = {}
  ): Promise<void> {
    const query = new URLSearchParams({ w: `${w}`, h: `${h}`, title: 'Panel', options: JSON.stringify(options) });
    for (const [name, value] of Object.entries(choices)) {
      query.set(name, value);
    }
    await this.page.goto(`/panel/${this.id}?${query}`);
    await this.content.waitFor();
  }

  /** Width by which the content exceeds the panel: 0 unless something is cut off at the side. */
  overflow(): Promise<number> {
    return this.content.evaluate((element) => element.scrollWidth - element.clientWidth);
  }
}
