import { type Command, json } from '../command'
import type { SurveyedSetting } from '../settings/survey'
import { table } from '../table'
import { invalidSettings } from './config-validate'

export const configShow: Command = {
  name: 'config show',
  summary: 'Shows every setting with its source: flag, environment, file or default.',
  operands: [],
  options: [json],
  examples: ['kiroku config show', 'KIROKU_PORT=8080 kiroku config show --json'],
  run: async (call) => {
    const survey = call.survey()
    const { settings } = survey
    const rows = settings.map(({ name, text, defaultText, source }) => [name, text ?? defaultText, source])
    await call.print(
      call.get(json)
        ? JSON.stringify(settings.map(asJson), null, 2)
        : table([['SETTING', 'VALUE', 'FROM'], ...rows]),
    )
    if (survey.exitCode !== 0) throw invalidSettings(survey, 'kiroku config validate tells which')
  },
}

const asJson = ({ name, text, defaultText, source }: SurveyedSetting) => ({
  name,
  value: text ?? null,
  default: defaultText,
  source,
})
