import { sql } from 'kysely'
import { prepared, type SlotOf } from '../../db/prepared'
import { recordUpTo } from '../../library/acts/record-acts'
import { progressOf } from '../../library/progress/progress'
import type { PageRoute } from '../../web/page'
import { ActRefused, defineAct } from './act-route'
import { id } from './values'

/** Catches up with a work: records every episode that is known to have been broadcast and has no record yet. */
export const recordAired: PageRoute = defineAct({
  path: '/record/aired',
  values: { work_id: id },
  run: async ({ deps, session, now }, { work_id }) => {
    const asked = { userId: session.userId, workIds: [work_id], now }
    const { next, behind } = (await progressOf(deps.seen, asked)).get(work_id) ?? {
      next: undefined,
      behind: 0,
    }
    if (next === undefined || behind === 0) throw new ActRefused('none_aired')
    const [last] = await episodeAfter(deps.seen, { work: work_id, episode: next.id, steps: behind - 1 })
    return recordUpTo(deps, session.userId, { episodeId: last?.id ?? next.id })
  },
})

/** The episode `steps` after another. Uses episodes_work. */
const episodeAfter = prepared((read, slot: SlotOf<{ work: number; episode: number; steps: number }>) =>
  read
    .selectFrom('episodes')
    .select('id')
    .where('work_id', '=', slot('work'))
    .where('hidden', '=', 0)
    .where(
      sql<boolean>`(sort_number, id) >= (select sort_number, id from episodes where id = ${slot('episode')})`,
    )
    .orderBy('sort_number')
    .orderBy('id')
    .limit(1)
    .offset(slot('steps')),
)
