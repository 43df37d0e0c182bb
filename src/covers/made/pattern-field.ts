import type { CoverChoice } from './choice'
import { d, rectangle } from './shapes'
import type { Drawn } from './sheet'

export const patternField = rectangle(0, 0, 240, 360, 'url(#p)')

/** Defines `#p`. The ground is part of the tile, so that a swapped pattern covers what is below. */
export function drawPattern({ pattern, isLarge, palette }: CoverChoice, { pattern: place }: Drawn) {
  const u = 240 / pattern.across[isLarge ? 1 : 0]
  const colours = place.isSwapped ? { ground: palette.figure, figure: palette.ground } : palette
  const { width, height, shapes } = pattern.tile(u, colours)
  const size = d`width="${width}" height="${height}" patternTransform="translate(${place.x} ${place.y})"`
  return `<pattern id="p" patternUnits="userSpaceOnUse" ${size}>${rectangle(0, 0, width, height, colours.ground)}${shapes}</pattern>`
}
