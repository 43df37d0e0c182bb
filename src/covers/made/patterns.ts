import { d, filled, rhombus, stroked } from './shapes'

interface Colours {
  readonly ground: string
  readonly figure: string
}

/** A tile that repeats seamlessly, drawn on the ground. `u`: the pattern's unit. */
interface Tile {
  readonly width: number
  readonly height: number
  readonly shapes: string
}

export interface Pattern {
  /** Units across the cover, at small and large scale. Integers, so that both edges cut the pattern alike. */
  readonly across: readonly [small: number, large: number]
  tile(u: number, colours: Colours): Tile
}

export const patterns: readonly Pattern[] = [
  { across: [5, 3], tile: seigaiha },
  { across: [4, 3], tile: asanoha },
  { across: [8, 6], tile: yagasuri },
  { across: [6, 4], tile: kikko },
  { across: [5, 3], tile: shippo },
  { across: [8, 5], tile: uroko },
  { across: [10, 6], tile: ichimatsu },
  { across: [8, 6], tile: tatewaku },
  { across: [6, 4], tile: kagome },
  { across: [10, 8], tile: kanoko },
  { across: [6, 4], tile: hishi },
  { across: [8, 5], tile: shima },
]

/** Waves of the blue sea: overlapping scales, the lower over the upper, each with its rings. */
function seigaiha(u: number, { ground, figure }: Colours): Tile {
  const r = u / 2
  const rings = [1, 0.7, 0.4].map((part) => `<circle r="${d`${r * part}`}"/>`)
  const scale = `<g id="s" fill="${ground}" stroke="${figure}" ${d`stroke-width="${u / 20}"`}>${rings.join('')}</g>`
  const rows = [0, 1, 2, 3, 4].map((row) => {
    const centres = row % 2 === 0 ? [0, u] : [u / 2]
    return centres.map((x) => d`<use href="#s" x="${x}" y="${(row * u) / 4}"/>`).join('')
  })
  return { width: u, height: u / 2, shapes: `<defs>${scale}</defs>${rows.join('')}` }
}

/** Hemp leaves: a triangular lattice with its heights, each centre joined to the corners. */
function asanoha(u: number, { figure }: Colours): Tile {
  const h = (u * Math.sqrt(3)) / 2
  const [x, third] = [u / 2, h / 3]
  const lattice = d`M0 0h${u}M0 ${h}h${u}M0 ${2 * h}h${u}M0 0l${u} ${2 * h}M${u} 0L0 ${2 * h}M0 0v${2 * h}M${x} 0v${2 * h}M${u} 0v${2 * h}`
  const upper = d`M0 0l${x} ${third} ${x} ${-third}`
  const sides = d`M0 ${2 * third}l${x} ${third}M${u} ${2 * third}l${-x} ${third}`
  const between = d`M0 ${4 * third}l${x} ${-third} ${x} ${third}`
  const lower = d`M0 ${2 * h}l${x} ${-third} ${x} ${third}`
  return {
    width: u,
    height: 2 * h,
    shapes: stroked(lattice + upper + sides + between + lower, figure, 0.044 * u),
  }
}

/** Tortoise shell: hexagons standing on a corner, each around one of half its size. */
function kikko(u: number, { figure }: Colours): Tile {
  const a = u / Math.sqrt(3)
  const hexagon = (x: number, y: number, size: number) => {
    const w = (size * Math.sqrt(3)) / 2
    return d`M${x} ${y - size}l${w} ${size / 2}v${size}l${-w} ${size / 2} ${-w} ${-size / 2}v${-size}z`
  }
  const centres = [
    [u / 2, 0],
    [0, 1.5 * a],
    [u, 1.5 * a],
    [u / 2, 3 * a],
  ] as const
  const draw = (size: number) => centres.map(([x, y]) => hexagon(x, y, size)).join('')
  return { width: u, height: 3 * a, shapes: stroked(draw(a), figure, 0.13 * a) + filled(draw(a / 2), figure) }
}

/** Basket weave: three sets of lines, of which only two meet at any point. */
function kagome(u: number, { figure }: Colours): Tile {
  const h = (u * Math.sqrt(3)) / 2
  const level = d`M0 ${h / 2}h${u}M0 ${1.5 * h}h${u}`
  // Through x = u/4 and x = 3u/4 of the first level, so that no three lines meet.
  const rising = [-1, 0, 1].map((n) => d`M${n * u} ${2 * h}l${u} ${-2 * h}`)
  const falling = [-1, 0, 1].map((n) => d`M${n * u} 0l${u} ${2 * h}`)
  return {
    width: u,
    height: 2 * h,
    shapes: stroked(level + [...rising, ...falling].join(''), figure, 0.09 * u),
  }
}

/** Arrow feathers, with every other column upside down. */
function yagasuri(u: number, { ground, figure }: Colours): Tile {
  const half = u / 2
  const down = (y: number) =>
    d`M0 ${y}l${half} ${half} ${half} ${-half}v${u}l${-half} ${half} ${-half} ${-half}z`
  const up = d`M${u} ${half}l${half} ${-half} ${half} ${half}v${u}l${-half} ${-half} ${-half} ${half}z`
  const lines = [0, half, u, u + half, 2 * u].map((x) => d`M${x} 0v${2 * u}`)
  const shapes = filled(down(-half) + down(u + half) + up, figure) + stroked(lines.join(''), ground, 2)
  return { width: 2 * u, height: 2 * u, shapes }
}

/** Seven treasures: the lenses formed by overlapping circles. */
function shippo(u: number, { figure }: Colours): Tile {
  const r = u / 2
  const lens = (x: number, y: number, dx: number, dy: number) =>
    d`M${x} ${y}a${r} ${r} 0 0 1 ${dx} ${dy}a${r} ${r} 0 0 1 ${-dx} ${-dy}z`
  const lenses = [lens(r, 0, r, r), lens(u, r, -r, r), lens(r, u, -r, -r), lens(0, r, r, -r)]
  return { width: u, height: u, shapes: filled(lenses.join(''), figure) }
}

/** Scales: equilateral triangles standing on their base. */
function uroko(u: number, { figure }: Colours): Tile {
  const h = (u * Math.sqrt(3)) / 2
  const triangle = (x: number, base: number) => d`M${x} ${base}l${u / 2} ${-h} ${u / 2} ${h}z`
  const triangles = [triangle(0, 2 * h), triangle(-u / 2, h), triangle(u / 2, h)]
  return { width: u, height: 2 * h, shapes: filled(triangles.join(''), figure) }
}

function ichimatsu(u: number, { figure }: Colours): Tile {
  const squares = d`M0 0h${u}v${u}h${-u}zM${u} ${u}h${u}v${u}h${-u}z`
  return { width: 2 * u, height: 2 * u, shapes: filled(squares, figure) }
}

/** Rising steam: columns that swell and shrink, out of phase with their neighbours. */
function tatewaku(u: number, { figure }: Colours): Tile {
  const [thin, thick] = [0.1 * u, 0.43 * u]
  const half = u / 2
  const column = (centre: number, from: number, to: number) => {
    const by = to - from
    const right = d`M${centre + from} 0c0 ${half} ${by} ${half} ${by} ${u}s${-by} ${half} ${-by} ${u}`
    return right + d`h${-2 * from}c0 ${-half} ${-by} ${-half} ${-by} ${-u}s${by} ${-half} ${by} ${-u}z`
  }
  const shapes = filled(column(u / 2, thin, thick) + column(1.5 * u, thick, thin), figure)
  return { width: 2 * u, height: 2 * u, shapes }
}

function kanoko(u: number, { ground, figure }: Colours): Tile {
  const dot = `<circle fill="${ground}" ${d`cx="${u / 2}" cy="${u / 2}" r="${0.1 * u}"`}/>`
  return { width: u, height: u, shapes: filled(rhombus(u / 2, u / 2, 0.36 * u, 0.36 * u), figure) + dot }
}

/** Water chestnuts: four around the middle, one at each corner. */
function hishi(u: number, { figure }: Colours): Tile {
  const height = 1.5 * u
  const one = (x: number, y: number) => rhombus(x, y, 0.21 * u, 0.315 * u)
  const corners = [one(0, 0), one(u, 0), one(0, height), one(u, height)]
  const [x, y] = [u / 2, height / 2]
  const middle = [one(x - 0.24 * u, y), one(x + 0.24 * u, y), one(x, y - 0.36 * u), one(x, y + 0.36 * u)]
  return { width: u, height, shapes: filled([...corners, ...middle].join(''), figure) }
}

function shima(u: number, { figure }: Colours): Tile {
  const stripes = d`M${0.14 * u} 0h${0.36 * u}v${u}h${-0.36 * u}zM${0.78 * u} 0h${0.08 * u}v${u}h${-0.08 * u}z`
  return { width: u, height: u, shapes: filled(stripes, figure) }
}
