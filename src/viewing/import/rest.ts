import { downloadFor } from '../../http/answers-in-flight'
import { answerHeaders } from '../../http/errors'
import { definePage } from '../../web/page'
import { findImport, importer } from './import-visit'

/** The rows that were not imported, as a table that can be completed and imported. */
export const restRoute = definePage({
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
    return new Response(downloadFor(visit.session.userId, pieces), { headers })
  },
})
