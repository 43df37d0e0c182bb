import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { survivor } from '../../../catalogue/survivors'
import type { Read } from '../../../db/open'
import { preparedSql } from '../../../db/prepared'
import type { Tx } from '../../../db/write'
import { entryIdOf } from '../../match/choices'
import type { Match } from '../../match/match'
import type { Here } from '../../plan/here'
import { hereAfter } from '../../plan/here-after'
import { planRow } from '../../plan/plan-row'
import type { PlannedRow } from '../../plan/planned-row'
import { readHere } from '../../plan/read-here'
import type { RowToPlan } from '../../plan/row-to-plan'
import { favorites } from '../../row'
import type { StoredImport } from '../import-store'
import { isApplied } from './counts'
import type { StoredMatch } from './row-json'

export type PlannedFor = Pick<StoredImport, 'userId' | 'source' | 'options' | 'facts'>

interface PlanTools {
  readonly db: Read | Tx
  /** Epoch milliseconds. */
  readonly now: number
}

/** Plans a row against the current state. */
export async function planNow(
  { db, now }: PlanTools,
  { userId, options, source, facts }: PlannedFor,
  match: StoredMatch,
): Promise<PlannedRow> {
  const here = match.workId === null ? null : await readHere(db, userId, match.workId)
  const { largestScore } = facts
  const inLists = await listsWith(db, userId, match)
  return planRow({ match, here, inLists, options, source, now, largestScore, earlier: match.earlier ?? null })
}

/** Names of the user's lists with the work; `favorites` if it is one. */
async function listsWith(
  db: Read | Tx,
  user: number,
  { workId, row }: Pick<Match, 'workId' | 'row'>,
): Promise<readonly string[]> {
  if (workId === null || row.lists === undefined) return []
  return (await listNames(db, { user, work: workId })).map(({ name }) => name)
}

// uses lists_user, the key of list_works and favorites_user
const listNames = preparedSql<{ name: string }, { user: number; work: number }>(
  (slot) => sql`
    select name from lists join list_works on list_id = lists.id and work_id = ${survivor('works', slot('work'))}
    where lists.user_id = ${slot('user')}
    union all select ${sql.lit(favorites)} from favorites
    where user_id = ${slot('user')} and work_id = ${survivor('works', slot('work'))}`,
)

/** Plans the rows of a file in order, each as if those before it had been applied. */
export class Planner {
  /** Works that rows change. In most files, the rows of one work are close to each other. */
  readonly #here = new LRUCache<number, Here>({ maxSize: mostEpisodes, sizeCalculation: sizeOf })
  readonly #entryIds = new Map<number, readonly string[]>()

  constructor(
    private readonly plannedFor: PlannedFor,
    private readonly now: number,
  ) {}

  /** Adds to the match whether earlier rows of the file are about it. */
  async plan(db: Read | Tx, match: Match): Promise<{ match: StoredMatch; planned: PlannedRow }> {
    const { options, source, facts } = this.plannedFor
    const here = await this.#hereOf(db, match)
    const earlier = this.#earlier(match)
    const { largestScore } = facts
    const inLists = await listsWith(db, this.plannedFor.userId, match)
    const { now } = this
    const planned = planRow({ match, here, inLists, options, source, now, largestScore, earlier })
    if (here !== null && isApplied(planned.state) && planned.writes !== null)
      this.#here.set(here.workId, hereAfter(here, planned.writes, this.now))
    return { match: { ...match, earlier }, planned }
  }

  async #hereOf(db: Read | Tx, { workId }: Match): Promise<Here | null> {
    if (workId === null) return null
    return this.#here.get(workId) ?? (await readHere(db, this.plannedFor.userId, workId))
  }

  #earlier({ workId, row }: Match): RowToPlan['earlier'] {
    if (workId === null) return null
    const entryId = entryIdOf(row)
    const before = this.#entryIds.get(workId)
    if (entryId !== '' && before?.includes(entryId)) return 'entry'
    this.#entryIds.set(workId, [...(before ?? []), entryId])
    return before === undefined ? null : 'work'
  }
}

/** Take some 3 MiB. */
const mostEpisodes = 10_000

const sizeOf = ({ episodes }: Here): number => Math.min(1 + episodes.length, mostEpisodes)
