import { type Locator, type Page } from '@playwright/test';

export interface OpenOptions {
  theme?: 'dark' | 'light';
  lang?: 'en-US' | 'de-DE' | 'es-ES';
  role?: 'Anonymous' | 'Viewer' | 'Editor' | 'Admin';
  /** Actions that were granted besides those of the role. */
  grants?: string;
}

const APP = '/a/nodebell-notifications-app';

/** Grafana's frame as the standalone host imitates it. The views of the pages stand beside this file. */
export class Frame {
  readonly page: Page;
  readonly menu: Locator;
  readonly breadcrumbs: Locator;
  readonly title: Locator;
  readonly toasts: Locator;

  constructor(page: Page) {
    this.page = page;
    this.menu = page.getByRole('navigation', { name: 'Main menu' });
    this.breadcrumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
    this.title = page.getByRole('heading', { level: 1 });
    this.toasts = page.getByTestId('toasts').getByRole('alert');
  }

  /** Opens a page of the app, such as `inbox?q=disk`, and waits until it has its title. */
  async open(path = 'inbox', { theme, lang, role, grants }: OpenOptions = {}): Promise<void> {
    const choices = Object.entries({ theme, lang, role, grants }).flatMap(([name, value]) =>
      value ? [`${name}=${value}`] : []
    );
    const joint = path.includes('?') ? '&' : '?';
    await this.page.goto(`${APP}/${path}${choices.length > 0 ? joint + choices.join('&') : ''}`);
    await this.title.waitFor();
  }

  /** The menu is an overlay below Grafana's `xl` width. */
  async openMenu(): Promise<void> {
    await this.page.getByRole('button', { name: 'Open menu' }).click();
  }

  async choose(choice: string): Promise<void> {
    await this.page.getByRole('button', { name: /^User menu/ }).click();
    await this.page.getByRole('menuitem', { name: choice }).click();
  }

  /** Width by which the document exceeds the window: 0 unless something sticks out. */
  overflow(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  }
}
