import type { Rgba } from './cardStyle';

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
