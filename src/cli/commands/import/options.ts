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
  'The service that the file is from, if it cannot be detected.',
  oneOf(sources),
)
export const columns = optional(
  'columns',
  'FIELD=COLUMN,…',
  'For a table whose columns are not known: the name or number of each, such as title=1,status=3; remembered.',
  anyText,
)
export const conflict = optional(
  'conflict',
  conflictPolicies.join('|'),
  'Which status, rating and review win where the file differs from what is here. Default: keep.',
  oneOf(conflictPolicies),
)
export const scoreFormat = optional(
  'score-format',
  scoreFormats.join('|'),
  'The scale of the scores, if the file does not state it.',
  oneOf(scoreFormats),
)
export const zone = optional(
  'time-zone',
  'ZONE',
  'The time zone of times without one. Default: the user’s.',
  timeZone,
)
export const includePrivate = flag(
  'include-private',
  'Also imports private entries; other people can see them here.',
)
export const fileUser = optional(
  'user',
  'NAME',
  'Whose entries to import from a file with several users, by their name in it.',
  anyText,
)
export const completeWatched = flag(
  'complete-watched',
  'Treats finished works with only some episodes watched as watched completely.',
)
export const acceptProbable = flag(
  'accept-probable',
  'Also imports rows to check whose only suggestion has the same title and medium.',
)
export const dryRun = flag('dry-run', 'Reports what the import would do, and changes nothing.')
