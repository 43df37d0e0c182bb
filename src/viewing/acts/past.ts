import { sql } from 'kysely'
import { prepared, type SlotOf } from '../../db/prepared'
import { recordPast } from '../../library/acts/past-act'
import { currentLap } from '../../library/laps'
import { html, type Markup } from '../../pages/html'
import { oneOf } from '../../values/text'
import type { PageRoute } from '../../web/page'
import type { MemberVisit } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { defineAct, id } from './act-route'

/** Records all of a work that was watched long ago. */
export const pastRoute: PageRoute = defineAct({
  path: '/past',
  values: { works: id, when: oneOf(['unknown']) },
  run: ({ deps, session }, { works }) => recordPast(deps, session.userId, { workId: works }),
})

/** For a work set to watched of which something is not recorded: one press for all of that, with one undo. */
export async function pastOffer(
  visit: MemberVisit,
  workId: number,
  { swap, look }: { readonly swap: string; readonly look: string },
): Promise<Markup | undefined> {
  const { deps, session, t } = visit
  const [open] = await unrecorded(deps.seen, { work: workId, user: session.userId })
  if (open === undefined || open.count === 0) return undefined
  const form = { act: 'past', path: '/past', fields: { works: workId, when: 'unknown' }, swap }
  const text = open.is_film === 1 ? t.acts.offerPastFilm : t.acts.offerPast(open.count, open.is_all === 1)
  return actForm(visit, form, html`<button class="${look}" data-focus="past">${text}</button>`)
}

type OwnWork = { work: number; user: number }

/** Uses episodes_work, records_user_episode, reviews_user_work. */
const unrecorded = prepared((read, slot: SlotOf<OwnWork>) => {
  const lap = currentLap(slot('user'), sql.ref('works.id'))
  const open = sql<number>`(select count(*) from episodes where work_id = works.id and hidden = 0
    and not exists (select 1 from records
      where user_id = ${slot('user')} and episode_id = episodes.id and lap = ${lap})
    and not exists (select 1 from skips
      where user_id = ${slot('user')} and episode_id = episodes.id and lap = ${lap}))`
  const unseen = sql<number>`not exists (select 1 from reviews
    where user_id = ${slot('user')} and work_id = works.id and watched_at is not null)`
  return read
    .selectFrom('works')
    .select('no_episodes as is_film')
    .select(sql<number>`iif(no_episodes = 1, ${unseen}, ${open})`.as('count'))
    .select(sql<number>`${open} = episodes_count`.as('is_all'))
    .where('id', '=', slot('work'))
})
