import { recordSentForm } from '../accounts/sign-in/session'
import type { RawValues } from '../http/request-values'
import type { Message } from '../messages/languages'
import { html, type Markup } from '../pages/html'
import type { Visit } from './visit'

/**
 * The input of a form that makes what is shown once: it tells this drawing of the form from others. A page that is
 * reloaded sends its form again, and must neither make another nor end what was just copied.
 */
export const formIdInput = ({ deps }: Visit): Markup =>
  html`<input type="hidden" name="form_id" value="${deps.random(12).toBase64({ alphabet: 'base64url' })}" />`

/** Whether this form was sent before as it is. Programs reload no pages and need not send its `form_id`. */
export async function isRepeated({ deps, session, request }: Visit, sent: RawValues): Promise<boolean> {
  if (session === undefined || !sent.has('form_id')) return false
  const whole = JSON.stringify([request.url, ...sent])
  const digest = new Bun.CryptoHasher('sha256').update(whole).digest('base64url')
  return !(await deps.write((tx) => recordSentForm(tx, session.id, digest)))
}

/** What a form says that was sent before. */
export const sentBefore: Message = (t) => t.form.sentBefore
