/**
 * How much of a package's own style its card takes over: values that reach for nothing outside, and colours that can be
 * read. Pure: what a colour is, the browser says.
 */
import type { PackageStyle } from '@nodebell/contract/package.ts';

/** Red, green, blue from 0 to 255, alpha from 0 to 1. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];
export type ReadColor = (text: string) => Rgba | undefined;

export interface CardStyle {
  header: { background?: string; color?: string };
  avatarFilter: string | undefined;
}

/** WCAG 2.2, 1.4.3: small text. */
const LEAST_CONTRAST = 4.5;

// The bridge has judged the values already; a style that loads something would tell its author who looks at the page.
const REACHES_OUT = /url|image|src\(|element\(|expression|var\(|attr\(|env\(|[\\;{}<>@!]|\/\*/i;

const isSafe = (value: string | undefined): value is string =>
  value !== undefined && value.length <= 300 && !REACHES_OUT.test(value);

/**
 * Reads a style.
 * @param canvas the colour of the card, behind what is not opaque
 * @param readColor reads a colour of CSS; undefined when the text is none
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
  // A background whose colours cannot be told, or on which no text can be read, is left out with its colour.
  return { header: behind.length > 0 && readable !== undefined ? { background, color: readable } : {}, avatarFilter };
}

const TOKEN = /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([^()]*\)|[a-z][a-z-]*/gi;

/** The colours that a background is made of; between two of them a gradient's contrast is between theirs. */
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
