/** A figure of samples over time as SVG, for light and dark pages. */

const WIDTH = 760;
const HEIGHT = 200;
const COLUMNS = 2;
const PLOT = { left: 50, right: 14, top: 30, bottom: 26 };
const LINES = ['var(--first)', 'var(--second)', 'var(--third)'] as const;
const STYLE = `svg{--text:#24292e;--faint:#d0d7de;--first:#1f60c4;--second:#b45309;--third:#7c3aed;font:12px system-ui,sans-serif;fill:var(--text)}
@media(prefers-color-scheme:dark){svg{--text:#d0d7de;--faint:#3d444d;--first:#6e9fff;--second:#ff9830;--third:#b877d9}}
polyline{fill:none;stroke-width:1.5}path{stroke:var(--faint);fill:none}.title{font-weight:600}`;

export interface Panel {
  title: string;
  unit: string;
  /** At most three, whose names fit beside the title. */
  lines: { name: string; values: readonly number[] }[];
}

/** @param hours when each value was measured @param label what the figure shows, for who cannot see it */
export function figure(label: string, hours: readonly number[], panels: readonly Panel[]): string {
  const width = WIDTH / COLUMNS;
  const height = HEIGHT * Math.ceil(panels.length / COLUMNS);
  const drawn = panels.map(
    (panel, index) =>
      `<g transform="translate(${(index % COLUMNS) * width} ${Math.floor(index / COLUMNS) * HEIGHT})">${draw(panel, hours, width)}</g>`
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(label)}">
<style>${STYLE}</style>
${drawn.join('\n')}
</svg>
`;
}

function draw({ title, unit, lines }: Panel, hours: readonly number[], width: number): string {
  const last = hours.at(-1) ?? 1;
  const top = ceiling(Math.max(...lines.flatMap(({ values }) => values)));
  const [right, bottom] = [width - PLOT.right, HEIGHT - PLOT.bottom];
  const x = (hour: number): number => PLOT.left + (hour / last) * (right - PLOT.left);
  const y = (value: number): number => bottom - (value / top) * (bottom - PLOT.top);
  const text = (at: [number, number], anchor: string, words: string): string =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" text-anchor="${anchor}">${escaped(words)}</text>`;
  const grid = [0, top / 2, top].map(
    (value) =>
      `<path d="M${PLOT.left} ${y(value).toFixed(1)}H${right}"/>${text([PLOT.left - 6, y(value) + 4], 'end', value.toLocaleString('en'))}`
  );
  const times = [0, 0.25, 0.5, 0.75, 1].map((part) =>
    text([x(part * last), bottom + 17], part === 1 ? 'end' : 'middle', `${Number((part * last).toFixed(2))} h`)
  );
  const names = lines.map(
    ({ name }, index) => `<tspan dx="10" fill="${LINES[index]}">${lines.length > 1 ? escaped(name) : ''}</tspan>`
  );
  const drawn = lines.map(({ values }, index) => {
    const points = values.map((value, at) => `${x(hours[at]!).toFixed(1)},${y(value).toFixed(1)}`);
    return `<polyline stroke="${LINES[index]}" points="${points.join(' ')}"/>`;
  });
  const heading = `<text x="${PLOT.left}" y="16"><tspan class="title">${escaped(title)}</tspan>${unit && `, ${escaped(unit)}`}${names.join('')}</text>`;
  return [heading, ...grid, ...times, ...drawn].join('');
}

/** The next round number. */
function ceiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return power * ([1, 2, 3, 4, 5, 6, 8, 10].find((step) => step * power >= value) ?? 10);
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
