import { maxEpisodes } from '../../library/next-episode'
import { ratingStates } from '../../library/ratings'
import { statusKinds } from '../../library/statuses'
import { precisions } from '../../library/watched'
import { positiveInteger, wholeNumber } from '../../values/number'
import { anyText, oneOf, prose } from '../../values/text'
import { orBlank } from '../../values/value'

export const id = positiveInteger
/** In a list of episodes (D62). */
export const episodeNumber = wholeNumber(1, maxEpisodes)
export const ratingState = orBlank(oneOf(ratingStates), null)
export const statusChoice = oneOf([...statusKinds, 'no_select'])
const comment10k = prose(10_000)

/** Browsers send a line break as CR LF, which would count as two characters. */
export const impression: typeof comment10k = {
  ...comment10k,
  read: (text, now) => comment10k.read(text.replaceAll('\r\n', '\n'), now),
}
/** Parsed together with the precision. */
export const watchedText = anyText
/** `aired`: when the episode was broadcast. `date`: as exact as the text in `watched_at`. */
export const whenChoice = orBlank(oneOf([...precisions, 'aired', 'date']), undefined)
