import { downloadFor } from '../../http/answers-in-flight'
import { answerHeaders } from '../../http/errors'
import { below } from '../../web/back'
import { definePage, type PageRoute } from '../../web/page'
import { importActs } from './acts'
import { annictRoute, annictWayBack } from './annict-account'
import { choosePage } from './choose-page'
import { columnsAction, columnsPage, forgetColumns } from './columns-page'
import { importPage } from './import-page'
import { findImport, importer } from './import-visit'
import { uploadRoute } from './upload'

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
    return new Response(downloadFor(visit.deps, visit.session.userId, pieces), { headers })
  },
})

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
