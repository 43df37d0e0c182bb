import Type from 'typebox'
import type { Endpoint } from '../../api/endpoint'
import { readParams } from '../../api/params'
import { downloadFor } from '../../http/answers-in-flight'
import { answerHeaders } from '../../http/errors'
import { listsOf } from '../batch/lists-of'
import { importIdParam } from './imports'

const params = { id: importIdParam }

/** Sent as a file, in chunks. */
export const importRest: Endpoint = {
  method: 'GET',
  path: '/v1/me/imports/:id/rest.csv',
  scope: 'read',
  operation: {
    tag: 'Imports',
    summary: 'Extension: the rows that an import left out, as CSV',
    description: 'The CSV can be completed with ids and imported again.',
    params,
    errors: ['not_found'],
    answer: { status: 200, schema: Type.String(), contentType: 'text/csv', description: 'The rows' },
  },
  answer: async ({ deps, viewer, sent }) => {
    const { id } = readParams(params, sent, deps.now())
    const lists = listsOf(deps)
    await lists.find(viewer.userId, id)
    return new Response(downloadFor(deps.write, viewer.userId, lists.rest(viewer.userId, id)), { headers })
  },
}

const headers = {
  ...answerHeaders,
  'Content-Type': 'text/csv; charset=utf-8',
  'Content-Disposition': 'attachment; filename="rest.csv"',
}
