import type { Choice } from './choice'
import { setSlip } from './columns'
import { foot, head } from './foot'
import { patternField } from './pattern-field'
import { d, rectangle } from './shapes'
import type { Drawn, Layout, Sheet } from './sheet'
import { slip } from './slip'
import { mincho, textBlock } from './text-block'

/** Layouts that suit a title's length, repeated according to their frequency. */
export function layoutsFor(main: string): readonly Layout[] {
  if (setSlip(main) !== undefined) return [slip, slip, slip, mon, obi]
  const count = Array.from(main).length
  if (count <= 9) return [mon, obi, hem, obi, spine]
  return count <= 18 ? [obi, hem, obi, hem, spine] : [obi, hem]
}

const margin = 18
const fullWidth = 206

const titleFont = ({ isMincho }: Choice) => (isMincho ? mincho : '')

const bandColours = ({ isOnPaper, palette }: Choice) =>
  isOnPaper
    ? { band: palette.paper, title: palette.titleOnPaper }
    : { band: palette.ground, title: palette.titleOnGround }

/** A band at the bottom, as high as its text: suits every title. */
export function obi({ parts, choice, facts }: Sheet): Drawn {
  const block = textBlock(parts, fullWidth)
  const top = 360 - 18 - block.height - 42
  const { band, title } = bandColours(choice)
  const text = block.draw(margin, top + 18, title, titleFont(choice))
  const shapes =
    patternField + rectangle(0, top, 240, 360 - top, band) + text + foot(facts, choice.palette, title)
  return { shapes, pattern: { x: 0, y: top } }
}

/** A band at the top, with the pattern down to the lower edge. */
function hem({ parts, choice, facts }: Sheet): Drawn {
  const block = textBlock(parts, fullWidth)
  const height = 48 + block.height + 22
  const { band, title } = bandColours(choice)
  const text = block.draw(margin, 48, title, titleFont(choice))
  const shapes = patternField + rectangle(0, 0, 240, height, band) + text + head(facts, choice.palette, title)
  return { shapes, pattern: { x: 0, y: height } }
}

/** A disc of the pattern above the title. On a coloured ground, the two colours are swapped inside it. */
function mon({ parts, choice, facts }: Sheet): Drawn | undefined {
  const block = textBlock(parts, fullWidth)
  const top = 316 - block.height
  const radius = Math.min(94, (top - 14 - 16) / 2)
  if (radius < 48) return undefined
  const { band, title } = bandColours(choice)
  const y = 14 + (top - 14 - 16) / 2
  const ring = choice.isOnPaper ? '' : ` stroke="${choice.palette.figure}" stroke-width="3"`
  const disc = `<circle ${d`cx="120" cy="${y}" r="${radius}"`} fill="url(#p)"${ring}/>`
  const text = block.draw(margin, top, title, titleFont(choice))
  const shapes = rectangle(0, 0, 240, 360, band) + disc + text + foot(facts, choice.palette, title)
  return { shapes, pattern: { x: 120, y, isSwapped: !choice.isOnPaper } }
}

/** The pattern on the left, for titles of three or more lines. */
function spine({ parts, choice, facts }: Sheet): Drawn | undefined {
  const block = textBlock(parts, 148)
  if (block.title.lines.length < 3 || block.title.size < 24) return undefined
  const { ground, titleOnGround } = choice.palette
  const text = block.draw(76, margin, titleOnGround, titleFont(choice))
  const field = rectangle(60, 0, 180, 360, ground)
  return {
    shapes: patternField + field + text + foot(facts, choice.palette, titleOnGround, 76),
    pattern: { x: 60, y: 0 },
  }
}
