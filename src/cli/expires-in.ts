import type { Option } from '../options/option'
import { duration } from '../values/time'

/** In milliseconds; `defaultText` describes `otherwise` to users. */
export const expiresInOption = <T extends number | undefined>(
  what: string,
  defaultValue: T,
  defaultText: string,
): Option<number | T> => ({
  name: 'expires-in',
  type: 'TIME',
  sentence: `How long the ${what} is good for: a number with s, m, h or d, such as 30d.`,
  defaultText,
  defaultValue,
  value: duration,
})
