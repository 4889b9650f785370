/**
 * About a third of the icons that @grafana/ui names are not in its npm package. These are our own drawings of the ones
 * in use; any other missing icon is an empty ring, which at least keeps the text beside it in its place.
 */
const stroke = (d: string) =>
  `<path d="${d}" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`;

const DRAWINGS: Record<string, string> = {
  spinner: stroke('M12 3a9 9 0 1 0 9 9'),
  home: stroke('M3 11.5 12 4l9 7.500M5.5 9.500V20h13V9.500M10 20v-6h4v6'),
  'home-alt': stroke('M3 11.5 12 4l9 7.500M5.5 9.500V20h13V9.500M10 20v-6h4v6'),
  globe: stroke('M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18M3 12h18M12 3c-5 5-5 13 0 18 5-5 5-13 0-18'),
  heart: stroke('M12 20C2 13 3 5 8 5c2 0 3.5 1.5 4 3 .5-1.5 2-3 4-3 5 0 6 8-4 15'),
  'check-square': stroke('M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1M8 12l3 3 5-6'),
  'web-section-alt': stroke('M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1M10 4v16'),
  wrench: stroke(
    'M20 6.500a5 5 0 0 1-6.500 6.500L7 19.500a1.800 1.800 0 0 1-2.500-2.500L11 10.500A5 5 0 0 1 17.500 4l-3 3 .5 2 2 .5z'
  ),
  'bell-slash': stroke('M6 16V11a6 6 0 0 1 9.5-4.900M18 11v5l1.5 2H9M10.5 21h3M4 4l16 16'),
};

const RING = stroke('M12 5a7 7 0 1 0 0 14 7 7 0 1 0 0-14');

export function fallbackIcon(name: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${DRAWINGS[name] ?? RING}</svg>`;
}
