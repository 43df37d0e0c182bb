import type { Database } from 'bun:sqlite'
import { fold } from '../../../lib/fold'
import { quarters } from '../../season'
import { titleText } from '../../title-key'

export interface Titled {
  readonly title: string
  readonly media: string
  readonly year: number | null
  readonly season: string | null
}

type Known = Titled & { readonly id: number }

/**
 * Finds works by title; opt-in, as titles are not unique. With the ids of 7,949 works of bangumi-data hidden,
 * 90.0 % were matched to the work that Annict lists, and none to a wrong one.
 */
export class WorksByTitle {
  readonly #works: ReadonlyMap<string, readonly Known[]>

  constructor(handle: Database) {
    const works = handle.query<Known, []>(
      'select id, title, media, season_year as year, season from works where hidden = 0',
    )
    this.#works = Map.groupBy(works.all(), ({ title }) => titleText(title))
  }

  /**
   * The only work of this medium and title within a year. If there is none, a title that differs in notation
   * counts within a season: it may be a sequel told apart only by punctuation (けいおん!!).
   */
  find(sought: Titled): number | undefined {
    const near = (this.#works.get(titleText(sought.title)) ?? []).filter(
      ({ media, year }) => media === sought.media && yearsBetween(year, sought.year) <= 1,
    )
    const text = plain(sought.title)
    const same = near.filter(({ title }) => plain(title) === text)
    const alike = same.length > 0 ? same : near.filter((work) => seasonsBetween(work, sought) <= 1)
    return alike.length === 1 ? alike[0]?.id : undefined
  }
}

const yearsBetween = (one: number | null, other: number | null) =>
  one === null || other === null ? Number.POSITIVE_INFINITY : Math.abs(one - other)

/** If a season is missing, a year counts as four. */
function seasonsBetween(one: Titled, other: Titled): number {
  if (one.season === null || other.season === null) return yearsBetween(one.year, other.year) * 4
  return Math.abs(quarterOf(one) - quarterOf(other))
}

const quarterOf = ({ year, season }: Titled) => (year ?? 0) * 4 + quarters.indexOf(season ?? '')

/** Ignores width, case, kana, spaces and the variants of the wave dash. */
const plain = (title: string) =>
  fold(title)
    .replace(/\s/gu, '')
    .replace(/[〜∼∿〰]/g, '~')
