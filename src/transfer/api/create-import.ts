import Type from 'typebox'
import type { ApiCall, Endpoint } from '../../api/endpoint'
import { uploadBodyDocs } from '../../api/openapi/params'
import { textParam, wordParam } from '../../api/param-kinds'
import { type Param, readParams, required } from '../../api/params'
import { bytesOf } from '../../http/bytes'
import { invalidParams, jsonHeaders } from '../../http/errors'
import type { UploadedFile } from '../../http/upload/receive'
import { anyText } from '../../values/text'
import { listsOf } from '../batch/lists-of'
import { limits } from '../file/limits'
import { RefusedFile } from '../file/refused-file'
import { refusalText } from '../refusal'
import { sources } from '../sources'
import { importSchema, shownImport } from './import-schema'
import { optionParams, optionsOf } from './imports'

const file: Param<string, never> = required({
  ...anyText,
  schema: Type.String({ format: 'binary' }),
  description: 'The file, of at most 32 MiB',
  example: 'mal_id,status\n37517,watched\n',
  required: true,
})

const params = {
  columns: textParam(
    'For a table whose columns are not known by their names: the name or number of each column, remembered for the next ' +
      'table with the same columns; status=:watched is the status of all rows',
    'title=1,status=3,rating=Score',
  ),
  source: wordParam(sources, 'The service that the file is from, if it cannot be detected'),
  ...optionParams,
}

/** Answers once the whole file has been read; errors begin with a code, as in `truncated: …`. */
export const createImport: Endpoint = {
  method: 'POST',
  path: '/v1/me/imports',
  scope: 'write',
  upload: { maxBytes: limits.upload, timeLimitMs: 30 * 60_000 },
  operation: {
    tag: 'Imports',
    summary: "Extension: reads a list from another service's file and previews the import",
    description:
      'Nothing changes before the import is applied. The source is detected from the content of the file. A file that ' +
      'cannot be read gets 400 with a code: empty, truncated, broken, too_large, too_many_members, unrecognised, unknown_columns, html_page, manga_list, ' +
      'doctype or unreadable_text.',
    params: { file, ...params },
    errors: [],
    body: uploadBodyDocs,
    answer: { status: 201, schema: importSchema, description: 'The preview' },
  },
  answer: async (call) => {
    const { source, columns, ...options } = readParams(params, call.sent, call.deps.now())
    const made = await listsOf(call.deps)
      .read(call.viewer.userId, fileOf(call), { source, columns, ...optionsOf(options) })
      .catch(refused)
    return new Response(bytesOf(JSON.stringify(shownImport(made))), { status: 201, headers: jsonHeaders })
  },
}

function fileOf({ file: sent, sent: values }: ApiCall): UploadedFile {
  if (sent !== undefined) return sent
  throw invalidParams(values.has('file') ? 'file must be a file.' : 'file is required.')
}

function refused(cause: unknown): never {
  throw cause instanceof RefusedFile ? invalidParams(refusalText(cause)) : cause
}
