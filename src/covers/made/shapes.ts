/** Two decimals: more would not be visible on a cover 240 wide. */
const short = (number: number): string => String(Math.round(number * 100) / 100)

export const d = (parts: TemplateStringsArray, ...numbers: readonly number[]): string =>
  parts.map((part, at) => part + (at < numbers.length ? short(numbers[at] ?? 0) : '')).join('')

export const filled = (path: string, colour: string): string => `<path fill="${colour}" d="${path}"/>`

export const stroked = (path: string, colour: string, width: number): string =>
  `<path fill="none" stroke="${colour}" stroke-width="${short(width)}" d="${path}"/>`

export const rhombus = (x: number, y: number, halfWidth: number, halfHeight: number): string =>
  d`M${x - halfWidth} ${y}l${halfWidth} ${-halfHeight} ${halfWidth} ${halfHeight} ${-halfWidth} ${halfHeight}z`

/** `fill` is the value of the attribute. */
export const rectangle = (x: number, y: number, width: number, height: number, fill: string): string =>
  `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" fill="${fill}"/>`

/**
 * The `y` of each letter of a column. Without it, WebKitGTK sets vertical letters further apart than they are high, beyond
 * the cover. An entry per UTF-16 unit, as SVG counts: of two for one letter, the second has no effect.
 */
export const tops = (letters: string, top: number, height: number): string =>
  Array.from(letters)
    .flatMap((letter, at) => Array<string>(letter.length).fill(short(top + at * height)))
    .join(' ')
