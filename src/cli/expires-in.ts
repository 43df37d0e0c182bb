import { parseDuration } from '../lib/duration'
import { type Option, Unfit } from '../options/option'

/** How long something is good for, in milliseconds; `otherwise` and `defaultText` say the same. */
export const expiresInOption = <T extends number | undefined>(
  what: string,
  otherwise: T,
  defaultText: string,
): Option<number | T> => ({
  name: 'expires-in',
  type: 'TIME',
  sentence: `How long the ${what} is good for: a number with s, m, h or d, such as 30d.`,
  default: defaultText,
  otherwise,
  parse: (text) => {
    const duration = parseDuration(text)
    if (duration === undefined || duration > longest)
      throw new Unfit('must be a time such as 45s, 90m, 12h or 30d')
    return duration
  },
})

// A hundred years: what is meant to be longer is meant not to expire.
const longest = 36_525 * 86_400_000
