/**
 * Applies a package's style to its card, limited to values that load no external resources and have enough contrast.
 * Pure: color parsing is injected.
 */
import type { PackageStyle } from '@nodebell/contract/package.ts';

/** Red, green, blue from 0 to 255, alpha from 0 to 1. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];
export type ReadColor = (text: string) => Rgba | undefined;

interface CardStyle {
  header: { background?: string; color?: string };
  avatarFilter: string | undefined;
}

/** WCAG 2.2, 1.4.3: small text. */
const LEAST_CONTRAST = 4.5;

// The bridge validates these values too. A style that loads resources would leak page views to its author.
const REACHES_OUT = /url|image|src\(|element\(|expression|var\(|attr\(|env\(|[\\;{}<>@!]|\/\*/i;

const isSafe = (value: string | undefined): value is string =>
  value !== undefined && value.length <= 300 && !REACHES_OUT.test(value);

/**
 * Returns the styles to apply.
 * @param canvas background color of the card, behind translucent colors
 * @param readColor parses a CSS color; undefined if it is invalid
 */
export function cardStyle(style: PackageStyle | undefined, canvas: Rgba, readColor: ReadColor): CardStyle {
  const avatarFilter = isSafe(style?.avatarFilter) ? style.avatarFilter : undefined;
  const background = isSafe(style?.background) ? style.background : undefined;
  const behind = background === undefined ? [canvas] : colorsIn(background, readColor).map((one) => over(one, canvas));
  const given = isSafe(style?.color) ? style.color : undefined;
  const readable = [given, '#ffffff', '#111217'].find((color) => {
    const front = color === undefined ? undefined : readColor(color);
    return front !== undefined && behind.every((back) => contrast(over(front, back), back) >= LEAST_CONTRAST);
  });
  if (background === undefined) {
    return { header: given !== undefined && readable === given ? { color: given } : {}, avatarFilter };
  }
  // Ignore backgrounds with unknown colors or without sufficient contrast.
  return { header: behind.length > 0 && readable !== undefined ? { background, color: readable } : {}, avatarFilter };
}

const TOKEN = /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([^()]*\)|[a-z][a-z-]*/gi;

/** All colors of a background. The contrast along a gradient lies between that of its color stops. */
function colorsIn(background: string, readColor: ReadColor): Rgba[] {
  return [...background.matchAll(TOKEN)].map(([token]) => readColor(token)).filter((color) => color !== undefined);
}

function over([red, green, blue, alpha]: Rgba, back: Rgba): Rgba {
  const mix = (front: number, behind: number) => front * alpha + behind * (1 - alpha);
  return [mix(red, back[0]), mix(green, back[1]), mix(blue, back[2]), 1];
}

/** WCAG 2.2, "relative luminance". */
function luminance([red, green, blue]: Rgba): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG 2.2, "contrast ratio": from 1 to 21. */
export function contrast(a: Rgba, b: Rgba): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((one, other) => other - one);
  return (light + 0.05) / (dark + 0.05);
}

const known = new Map<string, Rgba | undefined>();
let pixel: CanvasRenderingContext2D | null | undefined;

/** Resolves any CSS color to RGBA; undefined if the browser does not support it. */
export function readColor(text: string): Rgba | undefined {
  if (!known.has(text)) {
    known.set(text, paint(text));
  }
  return known.get(text);
}

function paint(text: string): Rgba | undefined {
  // `currentcolor` has no value of its own; a canvas would return black.
  if (!CSS.supports('color', text) || /^(currentcolor|inherit|initial|unset|revert)/i.test(text)) {
    return undefined;
  }
  pixel ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!pixel) {
    return undefined;
  }
  pixel.clearRect(0, 0, 1, 1);
  pixel.fillStyle = text;
  pixel.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = pixel.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}
