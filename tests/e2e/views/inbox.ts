import { type Locator, type Page } from '@playwright/test';
import { Frame, type OpenOptions } from '../support/views/frame.ts';

/** Page object of the inbox page. */
export class Inbox {
  readonly page: Page;
  readonly frame: Frame;
  readonly list: Locator;
  readonly rows: Locator;
  readonly headers: Locator;
  readonly detail: Locator;
  readonly banners: Locator;
  readonly newPill: Locator;
  readonly undoBar: Locator;
  readonly bulkBar: Locator;
  readonly search: Locator;
  /** The button of the menu. */
  readonly views: Locator;

  constructor(page: Page) {
    this.page = page;
    this.frame = new Frame(page);
    this.list = page.getByRole('treegrid', { name: 'Notifications' });
    this.rows = this.list.locator('[role=row][data-type=row]');
    this.headers = this.list.locator('[role=row][data-type=header]');
    this.detail = page.locator('[data-detail]');
    this.banners = page.getByRole('region', { name: 'Banners' }).getByRole('status');
    this.newPill = page.getByRole('button', { name: /^[\d,]+ new$/ });
    this.undoBar = page.getByRole('group', { name: 'Deleted' });
    this.bulkBar = page.getByRole('toolbar', { name: 'Selected notifications' });
    this.search = page.getByPlaceholder(/^Search/).first();
    this.views = page.getByRole('button', { name: 'Views', exact: true });
  }

  /** Saves what the page shows. */
  async saveView(name: string): Promise<void> {
    await this.choose('Views', 'Save view…');
    const field = this.page.getByRole('textbox', { name: /^Name/ });
    await field.fill(name);
    await field.press('Enter');
    await field.waitFor({ state: 'detached' });
  }

  /** Opens the page with this query (`q=disk`), and waits for the list or what is there in its place. */
  async open(query = '', options: OpenOptions = {}): Promise<void> {
    await this.frame.open(query ? `inbox?${query}` : 'inbox', options);
    await this.tab('All').or(this.detail).first().waitFor();
    await this.page.getByRole('status', { name: 'Loading notifications' }).waitFor({ state: 'detached' });
  }

  row(title: string | RegExp): Locator {
    return this.rows.filter({ hasText: title });
  }

  header(category: string): Locator {
    return this.headers.filter({ hasText: category });
  }

  tab(name: string): Locator {
    return this.page.getByRole('tab', { name });
  }

  /** The titles of the rows that are drawn, from the top. */
  async titles(): Promise<string[]> {
    const rows = await this.list.locator('[role=row][data-type=row]').evaluateAll((elements) =>
      elements
        .map((element) => ({
          top: element.getBoundingClientRect().top,
          text: element.querySelector('[title]')?.textContent ?? '',
        }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text)
    );
    return rows;
  }

  isUnread(row: Locator): Locator {
    return row.getByText('Unread', { exact: true });
  }

  async choose(menu: string, item: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name: menu }).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  /** Puts the focus where no key has a meaning of its own, and the pointer off the list. */
  async rest(): Promise<void> {
    await this.page.mouse.move(0, 0);
    await this.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  }
}
