import { describe, expect, it } from 'vitest';
import { cardStyle, contrast, type ReadColor, type Rgba } from './cardStyle';

const DARK: Rgba = [17, 18, 23, 1];
const NAMES: Record<string, Rgba> = { white: [255, 255, 255, 1], black: [0, 0, 0, 1], yellow: [255, 255, 0, 1] };

const readColor: ReadColor = (text) => {
  const hex = /^#(..)(..)(..)(..)?$/.exec(text);
  if (hex) {
    const [red = 0, green = 0, blue = 0, alpha = 255] = hex.slice(1).map((part) => parseInt(part ?? 'ff', 16));
    return [red, green, blue, alpha / 255];
  }
  return text.startsWith('rgb(') ? [10, 20, 30, 1] : NAMES[text];
};

const header = (style: Parameters<typeof cardStyle>[0]) => cardStyle(style, DARK, readColor).header;

describe('cardStyle', () => {
  it('applies a background and a color with sufficient contrast', () => {
    const style = { background: 'linear-gradient(67deg, #000000, #12372f)', color: 'white' };
    expect(header(style)).toEqual({ background: style.background, color: 'white' });
  });

  it('replaces a color with insufficient contrast at one end of a gradient', () => {
    expect(header({ background: 'linear-gradient(#000000, #123456)', color: '#123456' }).color).toBe('#ffffff');
    expect(header({ background: 'yellow', color: 'white' })).toEqual({ background: 'yellow', color: '#111217' });
  });

  it('chooses a color if none is set', () => {
    expect(header({ background: '#ffffff' })).toEqual({ background: '#ffffff', color: '#111217' });
  });

  it('ignores a background without a readable text color', () => {
    expect(header({ background: 'linear-gradient(white, black)' })).toEqual({});
  });

  it('finds colors in nested functions', () => {
    const background = 'linear-gradient(to right, rgb(1, 2, 3) 0%, white 100%)';
    expect(header({ background })).toEqual({});
  });

  it('ignores a background with unknown colors', () => {
    expect(header({ background: 'conic-gradient(from 3deg, nonsense)' })).toEqual({});
  });

  it('applies a color without background only with sufficient contrast on the card', () => {
    expect(header({ color: 'white' })).toEqual({ color: 'white' });
    expect(header({ color: 'black' })).toEqual({});
  });

  it('blends translucent colors with the card', () => {
    expect(header({ background: '#ffffff11', color: 'black' })).toEqual({ background: '#ffffff11', color: '#ffffff' });
  });

  it.each([
    'url(https://track.example/a.png)',
    'URL("x")',
    'image-set("a.png" 1x)',
    '-webkit-image-set(url(a) 1x)',
    'var(--x)',
    'red; position: fixed',
    'red } body { display: none',
    'u\\72l(x)',
    'red /* comment */',
    `linear-gradient(${'white, '.repeat(100)}black)`,
  ])('refuses %s', (value) => {
    expect(cardStyle({ background: value, avatarFilter: value }, DARK, readColor)).toEqual({
      header: {},
      avatarFilter: undefined,
    });
  });

  it('applies a filter', () => {
    expect(cardStyle({ avatarFilter: 'hue-rotate(90deg)' }, DARK, readColor).avatarFilter).toBe('hue-rotate(90deg)');
  });
});

describe('contrast', () => {
  it('is 21 for black on white and 1 for equal colors', () => {
    expect(contrast([0, 0, 0, 1], [255, 255, 255, 1])).toBeCloseTo(21);
    expect(contrast(DARK, DARK)).toBe(1);
  });
});
