import { takeTurn } from '../accounts/session'
import { words } from '../lib/words'
import { html, type Markup } from '../pages/html'
import type { Visit } from './visit'

/**
 * The input of a form that makes what is shown once: how many such forms were taken in its session before. A page that is
 * reloaded sends its form again, and must neither make another nor end what was just copied.
 */
export const turnInput = ({ session }: Visit): Markup | '' =>
  session === undefined ? '' : html`<input type="hidden" name="turn" value="${session.turn}" />`

/**
 * Takes a form by the text of that input. Returns the visit whose turn is the next; undefined for a form that was taken,
 * or is older than one that was. Programs reload no pages and need not send it.
 */
export async function inTurn<V extends Visit>(visit: V, text: string): Promise<V | undefined> {
  const { deps, session } = visit
  if (session === undefined || text === '') return visit
  const isTaken = text === String(session.turn) && (await deps.write((tx) => takeTurn(tx, session)))
  return isTaken ? { ...visit, session: { ...session, turn: session.turn + 1 } } : undefined
}

/** What a form says that was not taken. */
export const outOfTurn = words(
  'Nothing was made now: this form was sent before, or another one was since it was opened. What that made is not shown again. Send it once more to make another.',
  '今回は何も作成していません。このフォームは送信済みか、開いたあとに別のフォームが送信されています。前回作成したものは再表示できません。新しく作成するには、もう一度送信してください。',
)
