import { type RawValues, textOrBlank } from '../../http/request-values'
import type { Messages } from '../../messages/en'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { oneOf } from '../../values/text'

/** The box 自分だけ of a form about what only its writer may see (D72). Unticked boxes are not sent, hence `asks_private`. */
export const privateBox = ({ privacy }: Messages, isTicked: boolean): Markup =>
  html`<input type="hidden" name="asks_private" value="1" /><label class="check-label private-box"><input type="checkbox" name="private" value="1"${isTicked ? html` checked` : ''} />${icon('lock', 16)}${privacy.onlyMe}</label>`

/** A form without the box, such as a button in a row, leaves it to what its user prefers. */
export const privateValues = { asks_private: oneOf(['', '1']), private: oneOf(['', '0', '1']) }

interface SentMark {
  readonly asks_private: string
  readonly private: string
}

/** Undefined if the form does not say. */
export function markSaid({ asks_private, private: mark }: SentMark): boolean | undefined {
  if (mark !== '') return mark === '1'
  return asks_private === '1' ? false : undefined
}

/** Of a form that is shown again. */
export const typedMark = (sent: RawValues): boolean => textOrBlank(sent, 'private') === '1'

/** What nobody else sees says so beside itself. `spriteIcon` needs `sprite('lock')`. */
export const lock = ({ privacy }: Messages, isPrivate: number, draw = icon): Markup | '' =>
  isPrivate === 1 ? html`<span class="state own-only">${draw('lock', 14)}${privacy.onlyMe}</span>` : ''
