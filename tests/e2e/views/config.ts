import { type Locator, type Page } from '@playwright/test';
import type { OpenOptions } from '../support/views/frame.ts';

/** The configuration page of the app. */
export class ConfigPage {
  readonly page: Page;
  readonly address: Locator;
  readonly token: Locator;
  readonly save: Locator;
  readonly test: Locator;
  readonly result: Locator;
  readonly health: Locator;

  constructor(page: Page) {
    this.page = page;
    this.address = page.getByRole('textbox', { name: 'URL' });
    this.token = page.getByRole('region', { name: 'Bridge', exact: true }).getByLabel('Token', { exact: false });
    this.save = page.getByRole('button', { name: 'Save & test' });
    this.test = page.getByRole('button', { name: 'Test connection' });
    this.result = page.getByRole('region', { name: 'Bridge', exact: true }).getByRole('status');
    this.health = page.getByRole('region', { name: 'Health' });
  }

  async open(choices: OpenOptions = {}): Promise<void> {
    const query = new URLSearchParams({ ...choices });
    await this.page.goto(`/plugins/nodebell-notifications-app?${query}`);
    await this.address.waitFor();
  }

  /** State of each check, in order. */
  states(): Promise<Array<string | null>> {
    return this.result
      .getByRole('listitem')
      .evaluateAll((items) => items.map((item) => item.getAttribute('data-state')));
  }
}
