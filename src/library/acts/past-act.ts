import { visibleWork } from '../../catalogue/lookups'
import { prepared, type SlotOf } from '../../db/prepared'
import type { Tx } from '../../db/write'
import { invalidParams } from '../../http/errors'
import { recordSeveral } from '../new-record'
import { insertViewing } from '../viewings'
import type { Act, ActDeps } from './act'
import { openEpisodes, recordColumns } from './record-acts'
import { finishWatching } from './viewing-acts'
import { type OpenAct, writeAct } from './write-act'

/**
 * What was watched at a time nobody remembers: every episode without a record or skip in the current lap, or one viewing
 * of a film that has none. A work without a status, or one that was planned or being watched, becomes watched.
 */
export const recordPast = (
  deps: ActDeps,
  userId: number,
  { workId }: { readonly workId: number },
): Promise<Act> =>
  writeAct(deps, userId, 'past', async (act) => {
    const work_id = await visibleWork(act.tx, workId)
    const [work] = await workToRecord(act.tx, { work: work_id, user: userId })
    const count =
      work?.no_episodes === 1 ? await viewOnce(act, work_id, work.viewings) : await recordAll(act, work_id)
    if (count > 0) await finishWatching(act, work_id)
    return { workId: work_id, count }
  })

const unknown = (now: number) => ({ watched_at: now, watched_at_precision: 'none' }) as const

async function viewOnce(act: OpenAct, work_id: number, before: number): Promise<number> {
  if (before > 0) return 0
  const { tx, userId: user_id, now, log } = act
  const viewing = { user_id, work_id, body: '', rating_overall_state: null, created_at: now, ...unknown(now) }
  await log.inserted('reviews', work_id, await insertViewing(tx, viewing))
  return 1
}

async function recordAll(act: OpenAct, work: number): Promise<number> {
  const { tx, userId, now, log } = act
  const episodes = await openEpisodes(tx, { userId, work, upTo: null })
  if (episodes.length > mostEpisodes)
    throw invalidParams(`work_id must be the id of a work with at most ${mostEpisodes} unrecorded episodes.`)
  if (episodes.length === 0) return 0
  const records = await recordSeveral(tx, episodes, recordColumns(act, { watched: unknown(now) }))
  await log.inserted('records', work, ...records)
  return episodes.length
}

/** Takes 0.2 s. */
const mostEpisodes = 3000

const workToRecord = prepared((tx: Tx, slot: SlotOf<{ work: number; user: number }>) =>
  tx
    .selectFrom('works')
    .select('no_episodes')
    .select(({ selectFrom }) =>
      selectFrom('reviews') // uses reviews_user_work
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', slot('user'))
        .whereRef('work_id', '=', 'works.id')
        .where('watched_at', 'is not', null)
        .$asScalar()
        .as('viewings'),
    )
    .where('id', '=', slot('work')),
)
