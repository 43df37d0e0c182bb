import type { CoverChoice } from './choice'
import type { TitleParts } from './title-parts'

export interface CoverFacts {
  readonly title: string
  readonly media: string
  readonly seasonYear: number | null
  readonly season: string | null
}

export interface Sheet {
  readonly parts: TitleParts
  readonly choice: CoverChoice
  readonly facts: CoverFacts
}

/** Where the pattern's tile begins; `isSwapped` exchanges ground and figure. */
export interface PatternPlace {
  readonly x: number
  readonly y: number
  readonly isSwapped?: boolean
}

export interface Drawn {
  readonly shapes: string
  readonly pattern: PatternPlace
}

/** Undefined if the title does not suit the layout. */
export type Layout = (sheet: Sheet) => Drawn | undefined
