import { choose, oneOf } from './choice'
import { layoutsFor, obi } from './layouts'
import { drawMark, markOf } from './mark'
import { drawPattern, patternField } from './pattern-field'
import type { CoverFacts } from './sheet'
import { partsOf } from './title-parts'

export const gothic = "'Hiragino Sans','Yu Gothic UI','Noto Sans JP','Noto Sans CJK JP',sans-serif"

/** Below 96 px the mark replaces the title. The answer's Content-Security-Policy contains the hash of this style. */
export const markStyle = '@media(max-width:95px){#t{display:none}#m{display:inline}}'

/** The cover of a work without a picture: an SVG of 240 × 360, at most 4 KB, determined by the facts alone. */
export function madeCover(facts: CoverFacts): string {
  const parts = partsOf(facts.title)
  const choice = choose(parts)
  const sheet = { parts, choice, facts }
  const drawn = oneOf(layoutsFor(parts.main), choice.layout)(sheet) ?? obi(sheet)
  const { palette } = choice
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 360" width="240" height="360" xml:lang="ja" font-family="${gothic}"><style>${markStyle}</style>${drawPattern(choice, drawn)}<g id="t">${drawn.shapes}</g><g id="m" display="none">${patternField}${drawMark(markOf(parts.main), palette.paper, palette.titleOnPaper)}</g></svg>`
}
