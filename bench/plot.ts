/** One line of a plot. */
export interface Line {
	name: string;
	colour: string;
	points: [x: number, y: number][];
}

/** One diagram: both axes logarithmic, so that linear growth is a line of slope one. */
export interface Diagram {
	title: string;
	xTitle: string;
	yTitle: string;
	lines: Line[];
}

const WIDTH = 420;
const HEIGHT = 330;
const INSIDE = { left: 64, right: 28, top: 44, bottom: 82 };
const GREY = '#6b7280';

/** Draws diagrams side by side as one SVG. */
export function plot(diagrams: Diagram[], caption: string): string {
	const width = WIDTH * diagrams.length;
	return picture(
		width,
		HEIGHT,
		caption,
		diagrams.map(
			(diagram, index) => `<g transform="translate(${index * WIDTH} 0)">${drawn(diagram)}</g>`,
		),
	);
}

/** A group of bars: one value for each name. */
export interface BarGroup {
	title: string;
	values: number[];
	/** What stands beside the first bar. */
	note: string;
}

/** Draws horizontal bars in groups as one SVG. */
export function bars(
	groups: BarGroup[],
	names: { name: string; colour: string }[],
	title: string,
): string {
	const [label, bar, gap] = [150, 14, 18];
	const most = Math.max(...groups.flatMap(({ values }) => values));
	const scale = 480 / most;
	const groupHeight = names.length * bar + gap;
	const drawnGroups = groups.map(({ title: groupTitle, values, note }, index) => {
		const top = 64 + index * groupHeight;
		const rows = values.map((value, row) => {
			const y = top + row * bar;
			const shown = `${value.toFixed(2)}${row === 0 ? ` · ${note}` : ''}`;
			return (
				`<rect x="${label}" y="${y}" width="${(value * scale).toFixed(1)}" height="${bar - 2}" fill="${names[row]!.colour}"/>` +
				text(label + value * scale + 6, y + 10, shown, 'start', row === 0 ? '600' : '400')
			);
		});
		return text(label - 8, top + 18, groupTitle, 'end') + rows.join('');
	});
	const height = 64 + groups.length * groupHeight;
	return picture(820, height, title, [
		text(16, 24, title, 'start', '600', 15),
		legend(names, label, 46),
		...drawnGroups,
	]);
}

function drawn({ title, xTitle, yTitle, lines }: Diagram): string {
	const points = lines.flatMap((line) => line.points);
	const x = axis(
		points.map(([value]) => value),
		INSIDE.left,
		WIDTH - INSIDE.right,
	);
	const y = axis(
		points.map(([, value]) => value),
		HEIGHT - INSIDE.bottom,
		INSIDE.top,
	);
	const grid = [
		...x.ticks.map(
			(tick) =>
				rule(x.at(tick), INSIDE.top, x.at(tick), HEIGHT - INSIDE.bottom) +
				text(x.at(tick), HEIGHT - INSIDE.bottom + 16, tick.toLocaleString('en'), 'middle'),
		),
		...y.ticks.map(
			(tick) =>
				rule(INSIDE.left, y.at(tick), WIDTH - INSIDE.right, y.at(tick)) +
				text(INSIDE.left - 6, y.at(tick) + 4, tick.toLocaleString('en'), 'end'),
		),
	];
	const drawnLines = lines.map(({ colour, points: own }) => {
		const path = own.map(([a, b]) => `${x.at(a).toFixed(1)},${y.at(b).toFixed(1)}`);
		const dots = path.map((point) => {
			const [cx, cy] = point.split(',');
			return `<circle cx="${cx}" cy="${cy}" r="3.5" fill="${colour}"/>`;
		});
		return `<polyline points="${path.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}`;
	});
	return [
		text(INSIDE.left, 24, `${title}: ${yTitle}`, 'start', '600', 13),
		...grid,
		...drawnLines,
		text((INSIDE.left + WIDTH - INSIDE.right) / 2, HEIGHT - INSIDE.bottom + 36, xTitle, 'middle'),
		legend(lines, INSIDE.left, HEIGHT - 18),
	].join('');
}

function axis(values: number[], from: number, to: number) {
	const least = Math.floor(Math.log10(Math.min(...values)) + 1e-9);
	const most = Math.max(Math.ceil(Math.log10(Math.max(...values)) - 1e-9), least + 1);
	const ticks = Array.from({ length: most - least + 1 }, (_, index) => 10 ** (least + index));
	const at = (value: number) => from + ((Math.log10(value) - least) / (most - least)) * (to - from);
	return { ticks, at };
}

function legend(names: { name: string; colour: string }[], left: number, top: number): string {
	return names
		.map(({ name, colour }, index) => {
			const x = left + index * 115;
			return `<rect x="${x}" y="${top - 9}" width="10" height="10" fill="${colour}"/>${text(x + 15, top, name, 'start')}`;
		})
		.join('');
}

function rule(x1: number, y1: number, x2: number, y2: number): string {
	const at = [x1, y1, x2, y2].map((value) => value.toFixed(1));
	return `<line x1="${at[0]}" y1="${at[1]}" x2="${at[2]}" y2="${at[3]}" stroke="#e5e7eb"/>`;
}

function text(
	x: number,
	y: number,
	content: string,
	anchor: 'start' | 'middle' | 'end',
	weight = '400',
	size = 11,
): string {
	const colour = weight === '400' ? GREY : '#111827';
	return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" font-size="${size}" font-weight="${weight}" fill="${colour}">${escaped(content)}</text>`;
}

function picture(width: number, height: number, title: string, parts: string[]): string {
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, sans-serif">`,
		`<title>${escaped(title)}</title>`,
		`<rect width="${width}" height="${height}" rx="8" fill="#ffffff"/>`,
		...parts,
		'</svg>',
		'',
	].join('\n');
}

function escaped(content: string): string {
	return content.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
