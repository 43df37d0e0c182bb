export type SyobocalAnswer =
  | { readonly as: 'ProgLookup'; readonly programs: readonly SyobocalProgram[] }
  | { readonly as: 'TitleLookup'; readonly titles: readonly SyobocalTitle[] }
  | { readonly as: 'TitleIds'; readonly ids: readonly number[] }
  | { readonly as: 'ChLookup'; readonly channels: readonly Channel[] }
  | { readonly as: 'ChGroupLookup'; readonly groups: readonly ChannelGroup[] }

export type SyobocalCommand = SyobocalAnswer['as']

export interface SyobocalProgram {
  readonly pid: number
  readonly tid: number
  readonly chid: number
  /** Epoch milliseconds, including the program's offset. */
  readonly startedAt: number
  /** The episode's number; undefined for a special. */
  readonly count: number | undefined
  readonly subtitle: string
  readonly listedSubtitle: string
  /** Bits: 2 first, 4 last, 8 rerun. */
  readonly flag: number
  readonly isDeleted: boolean
}

export interface SyobocalTitle {
  readonly tid: number
  readonly title: string
  readonly shortTitle: string
  readonly kana: string
  readonly english: string
  readonly comment: string
  readonly category: number
  readonly firstYear: number | undefined
  readonly firstMonth: number | undefined
  readonly keywords: string
  readonly subtitles: string
}

export interface Channel {
  readonly chid: number
  readonly name: string
  readonly gid: number | undefined
}

export interface ChannelGroup {
  readonly gid: number
  readonly name: string
  readonly order: number
}

export const shortened = (text: string): string =>
  text.length <= mostLetters ? text : text.slice(0, mostLetters).toWellFormed()

const mostLetters = 500
