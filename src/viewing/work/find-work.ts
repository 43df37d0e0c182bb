import { sql } from 'kysely'
import { coverColumns } from '../../catalogue/cover-path'
import { isCounted } from '../../catalogue/estimate/broadcast-rule'
import { survivor } from '../../catalogue/survivors'
import { prepared, preparedSql, type SlotOf } from '../../db/prepared'
import { positiveInteger } from '../../values/number'
import { seeOther } from '../../web/page'
import { AnswerInstead, PageProblem, pageNotFound } from '../../web/problem'
import { returnPath } from '../../web/return-to'
import { readOrNotFound, type Visit } from '../../web/visit'

export type ShownWork = NonNullable<Awaited<ReturnType<typeof shownWork>>[number]>

/** The work in the path, with or without a slug. Redirects to the survivor of a merge (D67); hidden ones are not found. */
export async function findWork(visit: Visit): Promise<ShownWork> {
  const [digits] = (visit.params.id ?? '').split('-', 1)
  const id = readOrNotFound(positiveInteger, digits)
  const [work] = await shownWork(visit.deps.read, { id, user: visit.session?.userId ?? 0 })
  if (work === undefined) throw await absence(visit, id)
  if (work.id === id) return work
  const path = returnPath(visit).replace(/^\/works\/[^/?]+/, `/works/${work.id}`)
  throw new AnswerInstead(seeOther(visit, path))
}

/** Whoever has recorded or planned a work that was hidden since reads what became of it. */
async function absence({ deps, session }: Visit, work: number): Promise<PageProblem> {
  const own = session === undefined ? [] : await ownTraces(deps.read, { user: session.userId, work })
  if (own.length === 0) return pageNotFound()
  return new PageProblem(404, (t) => [t.problem.hiddenWorkTitle, t.problem.hiddenWork])
}

const ownTraces = preparedSql<{ one: number }, { user: number; work: number }>(
  (slot) => sql<{ one: number }>`
    with asked as (select ${survivor('works', slot('work'))} as id)
    select 1 as one from asked where exists (select 1 from records where user_id = ${slot('user')} and work_id = asked.id)
      or exists (select 1 from reviews where user_id = ${slot('user')} and work_id = asked.id)
      or exists (select 1 from statuses where user_id = ${slot('user')} and work_id = asked.id)`,
)

const shownWork = prepared((read, slot: SlotOf<{ id: number; user: number }>) =>
  read
    .selectFrom('works')
    .select(['id', 'title', 'title_kana', 'title_en', 'title_ro'])
    .select(coverColumns(slot('user')))
    .select(['released_on', 'official_site_url', 'wikipedia_url', 'twitter_username'])
    .select(['syobocal_tid', 'mal_anime_id', 'no_episodes', 'episodes_count', 'watchers_count'])
    .select(['broadcast_begin', 'broadcast_end', 'broadcast_interval'])
    .select(sql.raw<number>(isCounted).as('is_counted'))
    .where('id', '=', survivor('works', slot('id')))
    .where('hidden', '=', 0),
)
