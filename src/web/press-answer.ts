import type { ApiError } from '../http/errors'
import { faultOf } from '../http/faults'
import { AnswerInstead, errorText, FormProblem, PageProblem } from './problem'
import type { Visit } from './visit'

/** Presses of the outbox (`script/outbox/outbox.ts`) ask for JSON, with the same checks as forms. */
export const wantsJson = ({ request }: Pick<Visit, 'request'>): boolean =>
  request.method === 'POST' && (request.headers.get('accept') ?? '').startsWith('application/json')

/** `done`: now, or at the first time that it was sent. `before`: by another way, so that nothing was done. */
export type PressAnswer =
  | { readonly result: 'done'; readonly act_id: number | null }
  | { readonly result: 'before'; readonly message: string }

/** For the same visitor only. */
export const pressAnswer = (body: PressAnswer): Response => json(200, body)

export const signedOut = (): Response => json(401, { error: 'signed_out' })

export function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(body, { status, headers: { ...headers, 'Cache-Control': 'no-store' } })
}

/** What will never be accepted as it was sent is `refused`, with texts by field; all else may be sent again later. */
export function refusedPress(visit: Visit, cause: unknown): Response {
  const { t, deps, context } = visit
  if (cause instanceof AnswerInstead) return visit.session === undefined ? signedOut() : cause.response
  if (cause instanceof FormProblem)
    return refused(cause.status, { [cause.field]: cause.text(t) }, cause.headers)
  if (cause instanceof PageProblem) return refused(cause.status, { '': cause.words(t)[1] }, cause.headers)
  const error = faultOf(deps, cause, context.id)
  // A rule that the form does not have a field for.
  const status = error.status === 400 ? 422 : error.status
  return refused(status, { '': errorText(t, error) }, error.headers, error.type)
}

const final = [404, 409, 413, 422]

function refused(
  status: number,
  problems: Readonly<Record<string, string>>,
  headers: ApiError['headers'],
  error = 'refused',
): Response {
  return json(status, final.includes(status) ? { result: 'refused', problems } : { error }, headers)
}
