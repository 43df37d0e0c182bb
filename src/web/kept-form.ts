import { NotText, type RawValues } from '../http/request-values'
import { AnswerInstead } from './problem'
import { returnTarget } from './return-to'
import type { MemberVisit, Visit } from './visit'

/** A form that arrived after its session had ended. It is never sent by itself: its person presses once more. */
export interface KeptForm {
  /** Where it was sent, without the base path. */
  readonly path: string
  readonly fields: readonly (readonly [name: string, text: string])[]
}

/** For members. Others sign in, and find what they sent on `/kept`: the browser sends it to the sign-in page (307). */
export function keptMember(visit: Visit): MemberVisit {
  const { session, basePath, request } = visit
  if (session !== undefined) return { ...visit, session }
  const path = encodeURIComponent(new URL(request.url).pathname)
  const Location = `${basePath}/sign_in/kept?path=${path}&return_to=${returnTarget(visit)}`
  const headers = { Location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' }
  throw new AnswerInstead(new Response(null, { status: 307, headers }))
}

/** For a hidden field, so that strangers store nothing here; '' for a form with more than a comment of full length. */
export function keptText(path: string, sent: RawValues): string {
  const fields = [...sent].filter(([name, text]) => name !== 'csrf' && !(text instanceof NotText))
  const text = Buffer.from(JSON.stringify({ path, fields })).toString('base64url')
  return text.length > mostKept ? '' : text
}

/** Characters: with name and password it fits into the 64 KB of a form. */
const mostKept = 60_000

/** The JSON to store; undefined for a text that `keptText` did not make. */
export function keptJson(text: string): string | undefined {
  if (text === '' || text.length > mostKept) return undefined
  const json = Buffer.from(text, 'base64url').toString()
  return readKept(json) === undefined ? undefined : json
}

export function readKept(json: string): KeptForm | undefined {
  try {
    const { path, fields } = JSON.parse(json)
    const isWhole =
      typeof path === 'string' &&
      Array.isArray(fields) &&
      fields.every(
        (one) => Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string'),
      )
    return isWhole ? { path, fields } : undefined
  } catch {
    return undefined
  }
}
