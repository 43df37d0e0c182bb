import type { Option } from '../../../options/option'
import { conflictPolicies, scoreFormats } from '../../../transfer/plan/planned-row'
import { sources } from '../../../transfer/sources'
import { anyText, oneOf } from '../../../values/text'
import { timeZone } from '../../../values/time'
import type { Value } from '../../../values/value'
import { flag } from '../../command'

/** Undefined if not given. */
const optional = <T>(
  name: string,
  type: string,
  sentence: string,
  value: Value<T>,
): Option<T | undefined> => ({
  name,
  type,
  sentence,
  defaultText: '',
  defaultValue: undefined,
  value,
})

export const source = optional(
  'source',
  'SOURCE',
  'Who wrote the file, if that cannot be told.',
  oneOf(sources),
)
export const conflict = optional(
  'conflict',
  conflictPolicies.join('|'),
  'Whose status, rating and review count where the file differs from what is here; keep unless said.',
  oneOf(conflictPolicies),
)
export const scoreFormat = optional(
  'score-format',
  scoreFormats.join('|'),
  'The scale of its scores, where the file does not tell it.',
  oneOf(scoreFormats),
)
export const zone = optional(
  'time-zone',
  'ZONE',
  'The time zone of its times that have none; that of the user unless said.',
  timeZone,
)
export const includePrivate = flag('include-private', 'Takes private entries over too; others see them here.')
export const fileUser = optional(
  'user',
  'NAME',
  'Whose entries count, by the name in a file of several people.',
  anyText,
)
export const completeWatched = flag(
  'complete-watched',
  'Takes works that were finished with some of their episodes as watched to the end.',
)
export const acceptProbable = flag(
  'accept-probable',
  'Takes over rows to be checked whose one proposal has the same title and medium.',
)
export const dryRun = flag('dry-run', 'Tells what the import would do, and changes nothing.')
