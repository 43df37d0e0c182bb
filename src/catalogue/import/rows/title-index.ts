import type { Database } from 'bun:sqlite'
import { fold } from '../../../lib/fold'

interface Titled {
  readonly id: number
  readonly media: string
  readonly year: number | null
}

/** Works by title, opt-in as titles are not unique. */
export class TitleIndex {
  readonly #works = new Map<string, Titled[]>()

  constructor(handle: Database) {
    const works = handle.query<Titled & { title: string }, []>(
      'select id, title, media, season_year as year from works where hidden = 0',
    )
    for (const work of works.all()) {
      const key = titleKey(work.title)
      const alike = this.#works.get(key)
      if (alike === undefined) this.#works.set(key, [work])
      else alike.push(work)
    }
  }

  /** Undefined unless exactly one work has this title and medium within a year. */
  find(title: string, media: string, year: number | null): number | undefined {
    const alike = (this.#works.get(titleKey(title)) ?? []).filter(
      (work) =>
        work.media === media && year !== null && work.year !== null && Math.abs(work.year - year) <= 1,
    )
    return alike.length === 1 ? alike[0]?.id : undefined
  }
}

export const titleKey = (title: string) => {
  const folded = fold(title)
  const letters = folded.replace(/[\p{P}\p{S}\p{Z}\p{C}]/gu, '')
  return letters === '' ? folded : letters
}
