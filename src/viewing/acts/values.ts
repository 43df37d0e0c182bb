import { ratingStates } from '../../library/ratings'
import { statusKinds } from '../../library/statuses'
import { precisions } from '../../library/watched'
import { positiveInteger } from '../../values/number'
import { anyText, oneOf, prose } from '../../values/text'
import { orBlank } from '../../values/value'

export const id = positiveInteger
export const ratingState = orBlank(oneOf(ratingStates), null)
export const statusChoice = oneOf([...statusKinds, 'no_select'])
export const impression = prose(10_000)
/** Parsed together with the precision. */
export const watchedText = anyText
/** `aired`: when the episode was broadcast. `date`: as exact as the text in `watched_at`. */
export const whenChoice = orBlank(oneOf([...precisions, 'aired', 'date']), undefined)
