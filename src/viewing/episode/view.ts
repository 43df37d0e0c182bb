import { sql } from 'kysely'
import { isOnlyOfItsNumber } from '../../catalogue/shown'
import { survivor } from '../../catalogue/survivors'
import type { Read } from '../../db/open'
import { prepared, type SlotOf } from '../../db/prepared'
import type { Precision } from '../../library/watched'
import { positiveInteger } from '../../values/number'
import { pageNotFound } from '../../web/problem'
import { readOrNotFound, type Visit } from '../../web/visit'
import type { ShownWork } from '../work/view'

type ShownEpisode = NonNullable<Awaited<ReturnType<typeof byNumber>>[number]>

/** The episode named by `/episodes/5` or `/episodes/id-2001`. Hidden ones and those of other works are not found. */
export async function findEpisode({ deps, params }: Visit, work: number): Promise<ShownEpisode> {
  const text = params.number ?? ''
  const [, digits] = /^id-(\d{1,16})$/.exec(text) ?? []
  const rows =
    digits === undefined
      ? await byNumber(deps.seen, { work, number: text })
      : await byId(deps.seen, { work, id: readOrNotFound(positiveInteger, digits) })
  if (rows[0] === undefined) throw pageNotFound()
  return rows[0]
}

const shown = (read: Read) =>
  read
    .selectFrom('episodes')
    .select(['id', 'work_id', 'number', 'number_text', 'title', 'estimated', 'sort_number'])
    .select(['records_count', 'record_comments_count', isOnlyOfItsNumber.as('is_only')])
    .where('hidden', '=', 0)

// uses episodes_work_all
const byNumber = prepared((read, slot: SlotOf<{ work: number; number: string }>) =>
  shown(read)
    .where('work_id', '=', slot('work'))
    .where('number', '=', slot('number'))
    .orderBy('sort_number')
    .orderBy('id')
    .limit(1),
)

const byId = prepared((read, slot: SlotOf<{ work: number; id: number }>) =>
  shown(read)
    .where('id', '=', survivor('episodes', slot('id')))
    .where('work_id', '=', slot('work')),
)

/** What several parts of an episode's page need. */
export interface EpisodeView {
  readonly visit: Visit
  readonly work: ShownWork
  readonly episode: ShownEpisode
  /** 0 for visitors. */
  readonly userId: number
  readonly lap: number
  readonly records: readonly OwnRecord[]
}

type OwnRecord = Awaited<ReturnType<typeof ownRecordsOf>>[number]

// uses records_user_episode
export const ownRecordsOf = prepared((read, slot: SlotOf<{ user: number; episode: number }>) =>
  read
    .selectFrom('records')
    .select([
      'id',
      'lap',
      'comment',
      'rating_state as rating',
      'score',
      'watched_at',
      'private',
      'comments_count',
    ])
    .select(sql<Precision>`watched_at_precision`.as('precision'))
    .where('user_id', '=', slot('user'))
    .where('episode_id', '=', slot('episode'))
    .orderBy(sql`+id`, 'desc')
    .limit(30),
)
