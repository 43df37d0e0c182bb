import type { AddBody } from '../api/open-call'
import { ApiError, invalidParams } from '../http/errors'
import { addForm, addValue, decodeUtf8, mediaType, type RawValues, readBytes } from '../http/request-values'

const inBody = { where: 'the body', repeats: true }

/** Reads `query`, `variables` as JSON, `operationName`, `access_token`. Ignores problems in a stranger's body (D28). */
export const addGraphqlBody: AddBody = async (sent, request, rules, sender) => {
  try {
    addOperation(sent, request, await readBytes(request, rules, sender))
  } catch (cause) {
    const isIgnored =
      sender.pool === 'strangers' && cause instanceof ApiError && cause.type === 'invalid_params'
    if (!isIgnored) throw cause
  }
}

/** Throws invalid_params for bodies that contain no operation. */
function addOperation(sent: RawValues, request: Request, bytes: Uint8Array): void {
  if (bytes.length === 0) return
  const type = mediaType(request)
  if (type === 'application/json') addJson(sent, decodeUtf8(bytes))
  else if (type === 'application/x-www-form-urlencoded') addForm(sent, decodeUtf8(bytes), inBody)
  else throw invalidParams('The body must be application/json or application/x-www-form-urlencoded.')
}

function addJson(sent: RawValues, text: string): void {
  const body = parsed(text)
  if (Array.isArray(body)) throw invalidParams('Batches are not supported: send one operation per request.')
  if (typeof body !== 'object' || body === null) throw invalidParams('The JSON body must be an object.')
  for (const [name, value] of Object.entries(body)) {
    if (!names.has(name) || value === null || value === undefined) continue
    if (typeof value === 'string') addValue(sent, name, value, inBody)
    else if (name === 'variables') sent.set(name, JSON.stringify(value))
    else throw invalidParams(`${name} must be text.`)
  }
}

const names: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'access_token'])

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidParams('The body is not valid JSON.')
  }
}
