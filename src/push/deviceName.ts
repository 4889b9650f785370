/** Browsers that contain another's name in theirs come first. */
const BROWSERS: Array<[RegExp, string]> = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPX|OPiOS|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:DuckDuckGo|Ddg)\//, 'DuckDuckGo'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bBrave\//, 'Brave'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bMiuiBrowser\//, 'Mi Browser'],
  [/\bHuaweiBrowser\//, 'Huawei Browser'],
  [/\bFocus\//, 'Firefox Focus'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bChromium\//, 'Chromium'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  // An installed web app on iPhone or iPad.
  [/\bAppleWebKit\/.*\bMobile\//, 'Safari'],
];
const SYSTEMS: Array<[RegExp, string]> = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** `Chrome on Linux`. Names are not translated. */
export function deviceName({
  userAgent,
  maxTouchPoints = 0,
}: Pick<Navigator, 'userAgent'> & Partial<Pick<Navigator, 'maxTouchPoints'>>): string {
  const find = (known: Array<[RegExp, string]>) => known.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = find(SYSTEMS) ?? 'a device';
  // iPads report to be Macs by default, but Macs have no touch screen.
  return `${find(BROWSERS) ?? 'Browser'} on ${system === 'macOS' && maxTouchPoints > 1 ? 'iPad' : system}`;
}
