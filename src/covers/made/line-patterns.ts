import { d, filled, stroked } from './shapes'
import type { Colours, Tile } from './tile'

/** Waves of the blue sea: overlapping scales, the lower over the upper, each with its rings. */
export function seigaiha(u: number, { ground, figure }: Colours): Tile {
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
export function asanoha(u: number, { figure }: Colours): Tile {
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
export function kikko(u: number, { figure }: Colours): Tile {
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
export function kagome(u: number, { figure }: Colours): Tile {
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
