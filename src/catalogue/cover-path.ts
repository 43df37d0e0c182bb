import { type RawBuilder, sql } from 'kysely'
import { hash32 } from '../lib/hash'

export interface CoverWork {
  readonly id: number
  readonly title: string
  readonly media: string
  readonly season_year: number | null
  readonly season: string | null
}

/** `cover_hash`: null if the work has only the generated cover. */
export interface CoveredWork extends CoverWork {
  readonly cover_hash: string | null
}

/** Raise it whenever the drawing of covers changes. */
const design = 2

/** Changes with everything that the generated cover shows. */
export function coverVersion({ title, media, season_year, season }: Omit<CoverWork, 'id'>): string {
  return hash32(JSON.stringify([design, title, media, season_year, season])).toString(36)
}

export const madeCoverPath = (work: CoverWork): string => `/covers/${work.id}.svg?v=${coverVersion(work)}`

export const imagePath = (hash: string, width: number): string => `/images/${hash}-${width}.webp`

/** SQL for the hash of the cover that everybody sees, null if there is only the generated one. */
// uses images_cover
export const sharedCover = sql<string | null>`(
  select images.hash from images where images.work_id = works.id and ifnull(images.user_id, 0) = 0)`

/** The same for a member, whose own cover takes precedence. */
// uses images_cover
export const coverFor = (userId: RawBuilder<number>) => sql<string | null>`(
  select images.hash from images where images.work_id = works.id and ifnull(images.user_id, 0) in (0, ${userId})
  order by ifnull(images.user_id, 0) desc limit 1)`

const coverFacts = ['works.media', 'works.season_year', 'works.season'] as const

/** A `CoveredWork` without its id and title. `userId`: the reader, 0 for a visitor. */
export const coverColumns = (userId: RawBuilder<number>) =>
  [...coverFacts, coverFor(userId).as('cover_hash')] as const

export const coverColumnsSql = (userId: RawBuilder<number>) =>
  sql`${sql.join(coverFacts.map((fact) => sql.ref(fact)))}, ${coverFor(userId)} as cover_hash`
