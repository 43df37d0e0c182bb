import type { Option } from '../../../options/option'
import { anyText } from '../../../values/text'
import { season } from '../../../values/time'
import { InvalidValue, mapped } from '../../../values/value'

const one = season('[1-9][0-9]{3}', (t, form) => t.values.seasonName(form))

/** The given texts, joined by line feeds. */
export const seasonOption: Option<readonly string[]> = {
  name: 'season',
  type: 'YEAR-SEASON',
  sentence: 'Imports the works of this season, such as 2026-autumn; may be repeated.',
  defaultText: 'the season before last to the one after next',
  defaultValue: [],
  repeatable: true,
  value: mapped(anyText, (text) => {
    const seasons = text.split('\n')
    const wrong = seasons.map((name) => one.read(name)).find((read) => read instanceof InvalidValue)
    return wrong ?? seasons
  }),
}
