import { sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import type { ShareAudience } from '../../library/acts/share-acts'
import type { YearFigures } from '../../library/counting/year'
import { pageNotFound } from '../../web/problem'
import type { Visit } from '../../web/visit'
import { findUser, isOwn } from '../parts/find-user'
import { periodOf, type YearOf } from './count'

export interface SharedYear {
  readonly name: string
  readonly username: string
  readonly audience: ShareAudience
  /** JSON of `YearFigures`. */
  readonly figures: string
  /** Of a PNG among the images. */
  readonly picture_hash: string | null
  /** When it was copied, in epoch milliseconds. */
  readonly created_at: number
}

/** One's own, or what somebody shares with the reader (D91): everything else is not there. */
export async function findYear(visit: Visit): Promise<YearOf | SharedYear> {
  const { username = '', period = '' } = visit.params
  const isMine = visit.session?.username.toLowerCase() === username.toLowerCase()
  const share = isMine ? undefined : await findShare(visit, username, period)
  return share ?? (await findOwnYear(visit))
}

export async function findOwnYear(visit: Visit): Promise<YearOf> {
  const { period: name = '' } = visit.params
  const user = await findUser(visit)
  if (!isOwn(visit, user)) throw pageNotFound()
  return { user, period: periodOf(visit, name), name }
}

export const isShared = (year: YearOf | SharedYear): year is SharedYear => 'figures' in year

/** If the reader may see it; not of an account that is disabled or being deleted. */
export async function findShare(
  visit: Visit,
  username: string,
  period: string,
): Promise<SharedYear | undefined> {
  const [share] = await shareOf(visit.deps.seen, { key: username.toLowerCase(), period })
  return share
}

/** A copy is as it was, whatever has been deleted since. */
export function figuresOf({ figures }: SharedYear): YearFigures {
  const copy: YearFigures = { studio: null, ...JSON.parse(figures) }
  return copy
}

const shareOf = preparedSql<SharedYear, { key: string; period: string }>(
  (slot) => sql`
  select iif(users.name = '', username, users.name) as name, username, audience, figures, picture_hash, shares.created_at
  from users join shares on shares.user_id = users.id
  where username_key = ${slot('key')} and period = ${slot('period')} and disabled_at is null
    and not exists (select 1 from deletions where deletions.user_id = users.id)`,
)
