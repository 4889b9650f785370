import { type Locator, type Page } from '@playwright/test';
import { Frame, type OpenOptions } from '../support/views/frame.ts';

/** Page object of the chains page. */
export class Chains {
  readonly page: Page;
  readonly frame: Frame;
  readonly nodes: Locator;
  readonly search: Locator;

  constructor(page: Page) {
    this.page = page;
    this.frame = new Frame(page);
    this.nodes = page.locator('[data-node]');
    this.search = page.getByRole('textbox', { name: 'Search by chain or package' });
  }

  async open(query = '', options: OpenOptions = {}): Promise<void> {
    await this.frame.open(query ? `chains?${query}` : 'chains', options);
    await this.page.getByRole('status', { name: 'Loading nodes' }).waitFor({ state: 'detached' });
  }

  /** The row of a node, by the first part of its package name. */
  node(name: string): Locator {
    return this.page.locator(`[data-node="${name}.dnp.dappnode.eth"]`);
  }

  tab(name: string): Locator {
    return this.page.getByRole('tab', { name });
  }
}
