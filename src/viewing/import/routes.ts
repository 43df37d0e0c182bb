import { downloadFor } from '../../http/answers-in-flight'
import { answerHeaders } from '../../http/errors'
import { type RawValues, textOrBlank } from '../../http/request-values'
import type { Upload } from '../../http/upload/receive'
import { isTimeZone } from '../../lib/local-time'
import { maxEpisodes } from '../../library/next-episode'
import type { RowDecision } from '../../transfer/batch/lists'
import { limits } from '../../transfer/file/limits'
import { conflictPolicies, type ImportOptions, scoreFormats } from '../../transfer/plan/planned-row'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { defineAction } from '../../web/form'
import { below, definePage, type PageRoute } from '../../web/page'
import { defineUpload } from '../../web/upload-form'
import { readOrNotFound } from '../../web/visit'
import { annictRoute, annictWayBack } from './annict-account'
import { choosePage, showChoose } from './choose-page'
import { columnsAction, columnsPage, forgetColumns } from './columns-page'
import { importPage } from './import-page'
import { actOn, findImport, type ImportVisit, importer, importViewOf, nextRowPath } from './import-visit'
import { askForColumns, ownColumns, readList } from './read-list'

/** Streams a file to disk and creates a preview of it, or shows the form again with the file's problem. */
const uploadRoute = defineUpload({
  path: '/settings/import',
  access: importer,
  maxBytes: limits.upload,
  tooLarge: (visit) => {
    const { t } = visit
    const sentence = t.fileLimits.upload
    return showChoose(visit, { status: 413, what: t.listImports.refused(''), source: '', sentence })
  },
  use: readFile,
})

async function readFile(visit: ImportVisit, { values, file }: Upload) {
  const { t } = visit
  const source = textOrBlank(values, 'source')
  const refuse = (fileName: string, sentence: string) =>
    showChoose(visit, { status: 400, what: t.listImports.refused(fileName), source, sentence })
  if (file === undefined || (file.name === '' && (await Bun.file(file.path).stat()).size === 0))
    return refuse('', t.listImports.noFile)
  const refuseIt = (sentence: string) => refuse(file.name, sentence)
  return source === ownColumns
    ? await askForColumns(visit, file, refuseIt)
    : await readList(visit, file, { source }, refuseIt)
}

/** The rows that were not imported, as a table that can be completed and imported. */
const restRoute = definePage({
  path: '/settings/import/:id/rest.csv',
  access: importer,
  show: async (visit) => {
    const { id } = await findImport(visit)
    const pieces = visit.lists.rest(visit.session.userId, id)
    const headers = {
      ...answerHeaders,
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="rest.csv"',
    }
    return new Response(downloadFor(visit.deps.write, visit.session.userId, pieces), { headers })
  },
})

const importActs: readonly PageRoute[] = [
  defineAction({
    path: '/settings/import/:id/options',
    access: importer,
    run: (visit, sent) =>
      actOn(visit, async (userId, id) => {
        const left = sent.has('asks_lists') && (await findImport(visit)).lists.filter(isUnticked(sent))
        const leavesOut = left ? { leavesOut: left.map(({ name }) => name) } : {}
        await visit.lists.setOptions(userId, id, { ...optionsIn(sent), ...leavesOut })
      }),
  }),
  defineAction({
    path: '/settings/import/:id/apply',
    access: importer,
    run: (visit, sent) => {
      const how = { acceptsProbable: textOrBlank(sent, 'accept') === 'probable' }
      return actOn(visit, (userId, id) => visit.lists.apply(userId, id, how))
    },
  }),
  defineAction({
    path: '/settings/import/:id/undo',
    access: importer,
    run: (visit) => actOn(visit, (userId, id) => visit.lists.undo(userId, id)),
  }),
  defineAction({
    path: '/settings/import/:id/delete',
    access: importer,
    run: (visit) =>
      actOn(
        visit,
        (userId, id) => visit.lists.remove(userId, id),
        () => '/settings/import',
      ),
  }),
  defineAction({
    path: '/settings/import/:id/rows/:row',
    access: importer,
    run: (visit, sent) => {
      const row = readOrNotFound(positiveInteger, visit.params.row)
      return actOn(
        visit,
        (userId, id) => visit.lists.decide(userId, id, row, decisionIn(sent)),
        (id) => nextRowPath(visit, { id, row, asked: importViewOf((name) => textOrBlank(sent, name)) }),
      )
    },
  }),
]

export const importRoutes: readonly PageRoute[] = [
  ...below({ path: '/settings', name: (t) => t.settings.title, place: 'me' }, [
    choosePage,
    uploadRoute,
    annictRoute,
    annictWayBack,
  ]),
  ...below({ path: '/settings/import', name: (t) => t.listImports.title, place: 'me' }, [
    importPage,
    columnsPage,
    columnsAction,
    forgetColumns,
    ...importActs,
  ]),
  restRoute,
]

/** A box of each list, by its number in the file. */
const isUnticked = (sent: RawValues) => (_: unknown, at: number) => textOrBlank(sent, `list_${at + 1}`) === ''

/** Options that the form does not offer stay unchanged. */
function optionsIn(sent: RawValues): Partial<ImportOptions> {
  const text = (name: string) => textOrBlank(sent, name)
  const conflict = conflictPolicies.find((one) => one === text('conflict'))
  const scoreFormat = scoreFormats.find((one) => one === text('score_format'))
  const [timeZone, user] = [text('time_zone'), text('user')]
  return {
    ...(conflict && { conflict }),
    ...(scoreFormat && { scoreFormat }),
    ...(isTimeZone(timeZone) && { timeZone }),
    ...(user !== '' && { user }),
    ...(sent.has('asks_complete') && { completesWatched: text('complete_watched') !== '' }),
    ...(sent.has('asks_all_private') && { isAllPrivate: text('all_private') !== '' }),
    ...(sent.has('asks_private') && { includesPrivate: text('include_private') !== '' }),
  }
}

function decisionIn(sent: RawValues): RowDecision {
  if (textOrBlank(sent, 'decision') === 'skip') return { decision: 'skip' }
  const continuesAt = readIfValid(positiveInteger, textOrBlank(sent, 'continues_at'))
  return {
    workId: readIfValid(positiveInteger, textOrBlank(sent, 'work_id')),
    ...(continuesAt !== undefined && { episodeOffset: Math.min(continuesAt, maxEpisodes) - 1 }),
  }
}
