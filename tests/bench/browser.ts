/** The browser of measurements. */
import { type Browser, chromium } from '@playwright/test';
import { findChromium } from '../../scripts/chromium.mjs';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  return chromium.launch({ args: ARGUMENTS, ...(executablePath && { executablePath }) });
}
