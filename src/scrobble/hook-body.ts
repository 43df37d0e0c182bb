import type { Sender } from '../http/bodies-in-flight'
import { invalidParams } from '../http/errors'
import { multipartWithFiles } from '../http/multipart'
import {
  addForm,
  decodeUtf8,
  mediaType,
  type RawValues,
  readBytes,
  textOrBlank,
} from '../http/request-values'
import { type Fields, fieldsOf } from '../transfer/readers/fields'

/** Posters of Plex come with its payload. */
const rules = { maxBytes: 1024 * 1024, json: true, repeats: true }

export interface HookBody {
  readonly text: string
  readonly object: Fields
}

/**
 * The JSON object that a player sends: as the body, whatever its type says, or in a field `payload` or `data` of a form, whose
 * files are read past. Throws invalid_params and payload_too_large.
 */
export async function readHookBody(request: Request, sender: Sender): Promise<HookBody> {
  const bytes = await readBytes(request, rules, sender)
  const type = mediaType(request)
  if (type === 'multipart/form-data') {
    const fields = await multipartWithFiles(bytes, request.headers.get('content-type') ?? '')
    const [, value = ''] = fields.find(([name]) => name === 'payload' || name === 'data') ?? []
    return parse(typeof value === 'string' ? value : decodeUtf8(value))
  }
  const text = decodeUtf8(bytes)
  if (type !== 'application/x-www-form-urlencoded' || text.trimStart().startsWith('{')) return parse(text)
  const sent: RawValues = new Map()
  addForm(sent, text, { where: 'the body', repeats: true })
  return parse(textOrBlank(sent, 'payload') || textOrBlank(sent, 'data'))
}

function parse(text: string): HookBody {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidParams('The body must be JSON, or a form with JSON in the field payload or data.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidParams('The JSON body must be an object.')
  return { text, object: fieldsOf(value) }
}
