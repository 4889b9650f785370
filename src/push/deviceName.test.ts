import { expect, test } from 'vitest';
import { deviceName } from './deviceName';

const CHROMIUM = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${CHROMIUM} HeadlessChrome/140.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROMIUM} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${CHROMIUM} Ubuntu Chromium/90.0 Chrome/90.0 Safari/537.36`, 'Chromium on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROMIUM} Chrome/140.0 Safari/537.36 Edg/140.0`, 'Edge on Windows'],
  [`${ANDROID} ${CHROMIUM} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [`${ANDROID} ${CHROMIUM} Chrome/140.0 Mobile Safari/537.36 EdgA/140.0`, 'Edge on Android'],
  [`${ANDROID} ${CHROMIUM} Chrome/138.0 Mobile Safari/537.36 OPR/91.0`, 'Opera on Android'],
  [`${ANDROID} ${CHROMIUM} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`, 'Samsung Internet on Android'],
  [`${ANDROID} ${CHROMIUM} Chrome/140.0 Mobile DuckDuckGo/5 Safari/537.36`, 'DuckDuckGo on Android'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:142.0) Gecko/142.0 Firefox/142.0', 'Firefox on Android'],
  [`${IPHONE} ${APPLE} CriOS/140.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  [`${IPHONE} ${APPLE} FxiOS/142.0 Mobile/15E148 Safari/605.1.15`, 'Firefox on iPhone'],
  [`${IPHONE} ${APPLE} Version/17.5 EdgiOS/140.0 Mobile/15E148 Safari/604.1`, 'Edge on iPhone'],
  [`${IPHONE} ${APPLE} Version/17.5 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  // Installed on the Home Screen.
  [`${IPHONE} ${APPLE} Mobile/15E148`, 'Safari on iPhone'],
  [`${MAC} ${APPLE} Version/17.5 Safari/605.1.15`, 'Safari on macOS'],
  ['curl/8.0', 'Browser on a device'],
])('%s', (userAgent, name) => {
  expect(deviceName({ userAgent, maxTouchPoints: 0 })).toBe(name);
});

test('an iPad that says that it is a Mac', () => {
  const userAgent = `${MAC} ${APPLE} Version/17.5 Safari/605.1.15`;
  expect(deviceName({ userAgent, maxTouchPoints: 5 })).toBe('Safari on iPad');
});
