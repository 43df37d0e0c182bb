import { ApiError } from '../http/errors'
import { receiveUpload, type Upload } from '../http/upload/receive'
import type { PageContent } from '../pages/layout'
import { checkOrigin, checkToken } from './csrf'
import { formText, noteRefusal } from './form'
import type { PageRoute } from './page'
import { PageProblem } from './problem'
import { type MemberVisit, type Visit, withCurrentSession } from './visit'

interface UploadForm<V extends MemberVisit> {
  readonly path: string
  /** Also asked again once the file has arrived. */
  access(visit: Visit): V
  readonly maxBytes: number
  /** Shown for a larger file. */
  tooLarge(visit: V): PageContent | Promise<PageContent>
  use(visit: V, upload: Upload): Promise<PageContent | Response>
}

/** A POST of a form with a file that is too large for memory: it goes to the disk, and is gone after the answer. */
export const defineUpload = <V extends MemberVisit>(form: UploadForm<V>): PageRoute => ({
  method: 'POST',
  path: form.path,
  answer: async (visit) => {
    const { request, deps } = visit
    const noted = (check: () => void) => notedAt(visit, form.path, check)
    noted(() => checkOrigin(request, deps.config.baseUrl))
    const known = form.access(visit)
    const rules = { maxBytes: form.maxBytes, timeLimitMs: 10 * 60_000 }
    try {
      const sender = { pool: 'uploads', key: String(known.session.userId) } as const
      await using upload = await receiveUpload(request, deps, rules, sender)
      noted(() => checkToken(formText(upload.values, 'csrf'), visit.cookie))
      return await form.use(form.access(await withCurrentSession(visit)), upload)
    } catch (cause) {
      if (cause instanceof ApiError && cause.type === 'payload_too_large') return await form.tooLarge(known)
      throw cause
    }
  },
})

function notedAt(visit: Visit, path: string, check: () => void): void {
  try {
    check()
  } catch (cause) {
    if (cause instanceof PageProblem) noteRefusal(visit, path, cause)
    throw cause
  }
}
