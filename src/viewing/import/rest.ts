import { answerHeaders } from '../../http/errors'
import { streamOf } from '../../lib/stream-of'
import { definePage } from '../../web/page'
import { findImport, importer } from './import-visit'

/** What was not taken over, as a table that can be filled in and imported. */
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
    return new Response(streamOf(pieces), { headers })
  },
})
