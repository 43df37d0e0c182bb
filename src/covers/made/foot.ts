import type { Palette } from './palettes'
import { rectangle } from './shapes'
import type { CoverFacts } from './sheet'
import { line } from './text-block'

const mediaNames: Readonly<Record<string, string>> = { tv: 'TV', ova: 'OVA', movie: '映画', web: 'WEB' }
const seasonLetters: Readonly<Record<string, string>> = {
  winter: '冬',
  spring: '春',
  summer: '夏',
  autumn: '秋',
}

/** Year, medium and season's seal at the lower edge; unknown ones are left out. */
export const foot = (facts: CoverFacts, palette: Palette, colour: string, x = 18): string =>
  imprint(facts, palette, colour, x, 330)

export const head = (facts: CoverFacts, palette: Palette, colour: string): string =>
  imprint(facts, palette, colour, 18, 16)

function imprint(
  { media, seasonYear, season }: CoverFacts,
  palette: Palette,
  colour: string,
  x: number,
  y: number,
) {
  const text = [seasonYear ?? '', mediaNames[media] ?? ''].join(' ').trim()
  const words = text === '' ? '' : `<g fill="${colour}">${line(text, x, y + 17, 13, 500)}</g>`
  const letter = seasonLetters[season ?? '']
  if (letter === undefined) return words
  const seal = `<g fill="${palette.sealLetter}" text-anchor="middle">${line(letter, 210, y + 17.4, 15, 700)}</g>`
  return words + rectangle(198, y, 24, 24, palette.seal) + seal
}
