import { recordSentForm } from '../accounts/sign-in/session'
import type { RawValues } from '../http/request-values'
import type { Message } from '../messages/languages'
import { html, type Markup } from '../pages/html'
import type { Visit } from './visit'

/** Identifies one rendering of a form whose result is shown once: reloading that page must not submit it again. */
export const formIdInput = ({ deps }: Visit): Markup =>
  html`<input type="hidden" name="form_id" value="${deps.random(12).toBase64({ alphabet: 'base64url' })}" />`

export async function isResubmission({ deps, session, request }: Visit, sent: RawValues): Promise<boolean> {
  if (session === undefined || !sent.has('form_id')) return false
  const whole = JSON.stringify([request.url, ...sent])
  const digest = new Bun.CryptoHasher('sha256').update(whole).digest('base64url')
  return !(await deps.write((tx) => recordSentForm(tx, session.id, digest)))
}

export const alreadySent: Message = (t) => t.form.sentBefore
