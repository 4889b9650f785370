import { type Locator, type Page } from '@playwright/test';
import { Frame, type OpenOptions } from '../support/views/frame.ts';

/** The packages pages, in the words of somebody who uses them. */
export class Packages {
  readonly page: Page;
  readonly frame: Frame;
  readonly cards: Locator;
  readonly search: Locator;
  readonly manifest: Locator;
  readonly reason: Locator;
  readonly findings: Locator;
  readonly source: Locator;

  constructor(page: Page) {
    this.page = page;
    this.frame = new Frame(page);
    this.cards = page.locator('[data-package]');
    this.search = page.getByRole('textbox', { name: /^Search by name/ });
    this.manifest = page.locator('#manifest-text');
    this.reason = page.locator('#wizard-reason');
    this.findings = page.getByRole('list', { name: 'Findings' }).getByRole('button');
    this.source = page.getByRole('region', { name: /^Source of/ });
  }

  /** Opens the list (`q=…`), and waits until it is loaded. */
  async open(query = '', options: OpenOptions = {}): Promise<void> {
    await this.frame.open(query ? `packages?${query}` : 'packages', options);
    await this.page.getByRole('status', { name: 'Loading packages' }).waitFor({ state: 'detached' });
  }

  async openPackage(dnpName: string, query = '', options: OpenOptions = {}): Promise<void> {
    await this.frame.open(`packages/${dnpName}${query && `?${query}`}`, options);
    await this.page.getByRole('status', { name: 'Loading package' }).waitFor({ state: 'detached' });
  }

  card(dnpName: string): Locator {
    return this.page.locator(`[data-package="${dnpName}"]`);
  }

  tab(name: string): Locator {
    return this.page.getByRole('tab', { name });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  /** The step of the wizard that is current. */
  step(): Locator {
    return this.page.locator('[aria-current=step]');
  }

  /** The lines of the source that are drawn and have a finding. */
  line(number: number): Locator {
    return this.source.locator(`[data-line="${number}"]`);
  }
}
