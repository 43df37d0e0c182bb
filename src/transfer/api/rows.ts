import { sql } from 'kysely'
import { defineCommand } from '../../api/command'
import type { ApiCall } from '../../api/endpoint'
import { envelope, pageOf, pagingFields, pagingParams, rangeOf } from '../../api/paging'
import { idParam, textParam, wordParam } from '../../api/param-kinds'
import { param, required } from '../../api/params'
import { prepared } from '../../db/prepared'
import { invalidParams, notFound } from '../../http/errors'
import { integerBetween } from '../../values/number'
import type { ImportRow } from '../batch/lists'
import { listsOf } from '../batch/lists-of'
import { rowStates } from '../plan/planned-row'
import { importIdParam } from './imports'
import { rowSchema, type ShownProposal, shownRow } from './row-schema'

export const importRows = defineCommand({
  method: 'GET',
  path: '/v1/me/imports/:id/rows',
  tag: 'Imports',
  summary: 'Extension: the rows of an import',
  params: {
    id: importIdParam,
    filter_state: wordParam(rowStates, 'Only rows of this state'),
    filter_reason: textParam('Only rows with this reason', 'title_without_year'),
    ...pagingParams,
  },
  answers: () => envelope('rows', rowSchema),
  items: 'rows',
  errors: ['not_found'],
  run: async ({ id, filter_state, filter_reason, ...query }, { deps, viewer }) => {
    const page = pageOf(query)
    const { rows, total } = await listsOf(deps).rows(viewer.userId, id, {
      state: filter_state,
      reason: filter_reason,
      ...rangeOf(page),
    })
    return { rows: await shownRows(rows, deps), ...pagingFields(page, total) }
  },
})

export const decideRow = defineCommand({
  method: 'PATCH',
  path: '/v1/me/imports/:id/rows/:row',
  tag: 'Imports',
  summary: 'Extension: decides about a row of an import that has not been applied',
  description:
    'With work_id it is that work, which is remembered for what the source calls by the same id; with decision alone ' +
    'it is taken over as proposed, or skipped. A row with the reason numbering requires episode_offset.',
  params: {
    id: importIdParam,
    row: required(idParam('Number of the row', 1)),
    work_id: idParam('The matching work', 10079),
    decision: wordParam(['accept', 'skip'], 'Whether to import it'),
    episode_offset: param(
      integerBetween(-2000, 2000),
      'Added to its episode numbers, for a source that continues counting from an earlier work',
      -12,
    ),
  },
  answers: () => rowSchema,
  errors: ['not_found'],
  run: async ({ id, row, work_id, decision, episode_offset }, { deps, viewer }) => {
    const lists = listsOf(deps)
    const { rows } = await lists.rows(viewer.userId, id, { offset: row - 1, limit: 1 })
    const [present] = rows
    if (present === undefined) throw notFound('The row')
    const workId = work_id ?? (episode_offset === undefined ? undefined : (present.workId ?? undefined))
    if (episode_offset !== undefined && workId === undefined)
      throw invalidParams('episode_offset requires work_id, because the row has no work yet.')
    const decided =
      workId === undefined && decision === undefined
        ? present
        : await lists.decide(viewer.userId, id, row, { workId, decision, episodeOffset: episode_offset })
    const [shown = null] = await shownRows([decided], deps)
    return shown
  },
})

async function shownRows(rows: readonly ImportRow[], { read }: Pick<ApiCall['deps'], 'read'>) {
  const ids = new Set(rows.flatMap(({ shown }) => shown.proposals))
  const found = ids.size === 0 ? [] : await proposedWorks(read, { ids: JSON.stringify([...ids]) })
  const proposals = new Map(found.map((work) => [work.work_id, work]))
  return rows.map((row) => shownRow(row, proposals))
}

const proposedWorks = prepared<ShownProposal, { ids: string }>((read, slot) =>
  read
    .selectFrom('works')
    .select(['id as work_id', 'title', 'season_year as year', 'media'])
    .where('hidden', '=', 0)
    .where('id', 'in', sql<number>`(select value from json_each(${slot('ids')}))`),
)
