import { sql } from 'kysely'
import { prepared, type SlotOf } from '../../db/prepared'
import { type PastTime, recordPast } from '../../library/acts/past-act'
import { progressOf } from '../../library/progress/progress'
import { html, type Markup } from '../../pages/html'
import { idList } from '../../values/list'
import { oneOf } from '../../values/text'
import type { PageRoute } from '../../web/page'
import { FormProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { chosenIn } from '../library/library-view'
import { actForm } from '../parts/act-form'
import { defineAct, watchedText } from './act-route'
import { watchedBy } from './record'

/** The works as the library sends them: ids in `works`, or fields such as `work_101`. `watched_at`: a year or a partial date. */
export const pastRoute: PageRoute = defineAct({
  path: '/past',
  values: { works: idList, when: oneOf(['unknown', 'aired', 'year', 'date']), watched_at: watchedText },
  run: async (visit, { when, watched_at }, sent) => {
    const workIds = chosenIn(sent)
    if (workIds.length === 0) throw new FormProblem('works', (t) => t.library.noneChosen)
    const asked = { workIds, when: timeOf(visit, when, watched_at) }
    return (await recordPast(visit.deps, visit.session.userId, asked)).act
  },
})

function timeOf(
  visit: MemberVisit,
  when: 'unknown' | 'aired' | 'year' | 'date',
  watched_at: string,
): PastTime {
  if (when === 'unknown') return { watched_at: visit.now, watched_at_precision: 'none' }
  if (when === 'aired' || (when === 'year' && watched_at.trim() === '')) return when
  return watchedBy(visit, { watched_at, precision: 'date' })
}

/** For a work set to watched of which something is not recorded: one press for all of that, with one undo. */
export async function pastOffer(
  visit: MemberVisit,
  workId: number,
  { swap, look }: { readonly swap: string; readonly look: string },
): Promise<Markup | undefined> {
  const { deps, session, t } = visit
  const [film] = await unseenFilm(deps.seen, { work: workId, user: session.userId })
  const asked = { userId: session.userId, workIds: [workId], now: visit.now }
  const progress = film?.is_film === 1 ? undefined : (await progressOf(deps.seen, asked)).get(workId)
  const count = film?.is_film === 1 ? film.unseen : (progress?.unseen ?? 0)
  if (count === 0) return undefined
  const form = { act: 'past', path: '/past', fields: { works: workId, when: 'unknown' }, swap }
  const text = film?.is_film === 1 ? t.acts.offerPastFilm : t.acts.offerPast(count, count === progress?.known)
  return actForm(visit, form, html`<button class="${look}" data-focus="past">${text}</button>`)
}

// uses reviews_user_work
const unseenFilm = prepared((read, slot: SlotOf<{ work: number; user: number }>) =>
  read
    .selectFrom('works')
    .select('no_episodes as is_film')
    .select(
      sql<number>`not exists (select 1 from reviews
        where user_id = ${slot('user')} and work_id = works.id and watched_at is not null)`.as('unseen'),
    )
    .where('id', '=', slot('work')),
)
