import { type Locator, type Page } from '@playwright/test';
import { Frame, type OpenOptions } from '../support/views/frame.ts';

/** Page object of the thresholds page. */
export class Thresholds {
  readonly page: Page;
  readonly frame: Frame;
  readonly search: Locator;
  readonly cards: Locator;
  readonly endpoints: Locator;
  /** In the page header. */
  readonly menu: Locator;

  constructor(page: Page) {
    this.page = page;
    this.frame = new Frame(page);
    this.search = page.getByRole('textbox', { name: 'Search endpoints and packages' });
    this.cards = page.locator('[data-package]');
    this.endpoints = page.locator('[data-endpoint]');
    this.menu = page.getByRole('button', { name: 'Threshold actions' });
  }

  /** Opens the page (`q=…`), and waits until it is loaded. */
  async open(query = '', options: OpenOptions = {}): Promise<void> {
    await this.frame.open(query ? `thresholds?${query}` : 'thresholds', options);
    await this.page.getByRole('status', { name: 'Loading thresholds' }).waitFor({ state: 'detached' });
  }

  /** Opens the actions menu and chooses an item. */
  async choose(item: string): Promise<void> {
    await this.menu.click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  card(dnpName: string): Locator {
    return this.page.locator(`[data-package="${dnpName}"]`);
  }

  endpoint(correlationId: string): Locator {
    return this.page.locator(`[data-endpoint="${correlationId}"]`);
  }

  slider(correlationId: string): Locator {
    return this.endpoint(correlationId).getByRole('slider');
  }

  /** The number field beside the slider. */
  field(correlationId: string): Locator {
    return this.endpoint(correlationId).getByRole('spinbutton');
  }

  switchOf(correlationId: string): Locator {
    return this.endpoint(correlationId).getByRole('switch');
  }

  packageSwitch(dnpName: string): Locator {
    return this.page.getByRole('switch', { name: `Notifications from ${dnpName}` });
  }

  category(name: string): Locator {
    return this.page.getByRole('group', { name: 'Categories' }).getByRole('switch', { name });
  }
}
